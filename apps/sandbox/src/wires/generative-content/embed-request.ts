import { invalidArgument } from '../google-style/google-error.ts';
import { Content, type GenerativeContent } from '../google-style/generative-request.ts';
import { type ProtoMessage, readBody } from '../google-style/proto-message.ts';

export interface EmbedParams {
  text: string;
  dimensions: number;
}

interface EmbedBody {
  model?: string;
  content?: GenerativeContent;
  taskType?: string;
  title?: string;
  outputDimensionality?: number;
}

export const EMBEDDING_WIDTH = 256;
const MAX_REQUESTS = 100;

const EmbedRequest: ProtoMessage = {
  model: 'string',
  content: { message: () => Content },
  taskType: {
    name: 'TaskType',
    words: [
      'TASK_TYPE_UNSPECIFIED',
      'RETRIEVAL_QUERY',
      'RETRIEVAL_DOCUMENT',
      'SEMANTIC_SIMILARITY',
      'CLASSIFICATION',
      'CLUSTERING',
      'QUESTION_ANSWERING',
      'FACT_VERIFICATION',
      'CODE_RETRIEVAL_QUERY',
    ],
  },
  title: 'string',
  outputDimensionality: 'int',
};
const BatchRequest: ProtoMessage = { requests: { list: { message: () => EmbedRequest } } };

function textOf(parts: NonNullable<GenerativeContent['parts']>, path: string): string {
  const other = parts.findIndex((part) => part.text === undefined);
  if (other !== -1) {
    throw invalidArgument(`* ${path}.content.parts[${other}]: only text is supported by this model\n`);
  }
  return parts.map(({ text }) => text).join('\n');
}

function readParams({ content, taskType, title, outputDimensionality: given }: EmbedBody, path: string): EmbedParams {
  const parts = content?.parts ?? [];
  if (parts.length === 0) throw invalidArgument(`* ${path}.content: content is not specified\n`);
  const text = textOf(parts, path);
  if (text.trim() === '') throw invalidArgument('The text content is empty.');
  if (title !== undefined && taskType !== 'RETRIEVAL_DOCUMENT') {
    throw invalidArgument(`* ${path}.title: title is only applicable to the task type RETRIEVAL_DOCUMENT\n`);
  }
  if (given !== undefined && (given < 1 || given > EMBEDDING_WIDTH)) {
    throw invalidArgument(`* ${path}.output_dimensionality: must be in the range [1, ${EMBEDDING_WIDTH}].\n`);
  }
  return { text, dimensions: given ?? EMBEDDING_WIDTH };
}

export function readEmbedRequest(body: unknown, model: string): EmbedParams {
  const request = readBody(EmbedRequest, body) as EmbedBody;
  if (request.model !== undefined && request.model !== `models/${model}`) {
    throw invalidArgument('* EmbedContentRequest.model: model must be the one of the path\n');
  }
  return readParams(request, 'EmbedContentRequest');
}

export function readBatchRequest(body: unknown, model: string): EmbedParams[] {
  const { requests = [] } = readBody(BatchRequest, body) as { requests?: EmbedBody[] };
  const path = 'BatchEmbedContentsRequest.requests';
  if (requests.length === 0) throw invalidArgument(`* ${path}: requests is not specified\n`);
  if (requests.length > MAX_REQUESTS) {
    throw invalidArgument(`* ${path}: at most ${MAX_REQUESTS} requests can be in one batch\n`);
  }
  return requests.map((request, at) => {
    const { model: named = '' } = request;
    if (!named.startsWith('models/')) {
      throw invalidArgument(`* ${path}[${at}].model: unexpected model name format\n`);
    }
    if (named !== `models/${model}`) {
      throw invalidArgument(`* ${path}[${at}].model: model must be the one of the path\n`);
    }
    return readParams(request, `${path}[${at}]`);
  });
}
