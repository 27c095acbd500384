import { names } from '../../schema/names.ts';
import { invalidArgument, invalidMessage } from '../google-style/google-error.ts';
import { Content, type GenerativeContent } from '../google-style/generative-request.ts';
import { type ProtoMessage, readBody } from '../google-style/proto-message.ts';

interface EmbedBody {
  model?: string;
  content?: GenerativeContent;
  taskType?: string;
  title?: string;
  outputDimensionality?: number;
}

export const EMBEDDING_WIDTH = 256;
const MAX_REQUESTS = 100;

const TASK_TYPES = [
  ...names('TASK_TYPE_UNSPECIFIED RETRIEVAL_QUERY RETRIEVAL_DOCUMENT SEMANTIC_SIMILARITY CLASSIFICATION CLUSTERING'),
  ...names('QUESTION_ANSWERING FACT_VERIFICATION CODE_RETRIEVAL_QUERY'),
];

const EmbedRequest: ProtoMessage = {
  model: 'string',
  content: { message: () => Content },
  taskType: { name: 'TaskType', values: TASK_TYPES },
  title: 'string',
  outputDimensionality: 'int',
};
const BatchRequest: ProtoMessage = { requests: { list: { message: () => EmbedRequest } } };

function textOf(parts: NonNullable<GenerativeContent['parts']>, path: string): string {
  const other = parts.findIndex((part) => part.text === undefined);
  if (other !== -1) throw invalidMessage(`${path}.content.parts[${other}]`, 'only text is supported by this model');
  return parts.map(({ text }) => text).join('\n');
}

function readParams({ content, taskType, title, outputDimensionality }: EmbedBody, path: string) {
  const parts = content?.parts ?? [];
  if (parts.length === 0) throw invalidMessage(`${path}.content`, 'content is not specified');
  const text = textOf(parts, path);
  if (text.trim() === '') throw invalidArgument('The text content is empty.');
  if (title !== undefined && taskType !== 'RETRIEVAL_DOCUMENT') {
    throw invalidMessage(`${path}.title`, 'title is only applicable to the task type RETRIEVAL_DOCUMENT');
  }
  const dimensions = outputDimensionality ?? EMBEDDING_WIDTH;
  if (dimensions < 1 || dimensions > EMBEDDING_WIDTH) {
    throw invalidMessage(`${path}.output_dimensionality`, `must be in the range [1, ${EMBEDDING_WIDTH}].`);
  }
  return { text, dimensions };
}

export function readEmbedRequest(body: unknown, model: string) {
  const request = readBody(EmbedRequest, body) as EmbedBody;
  if (request.model !== undefined && request.model !== `models/${model}`) {
    throw invalidMessage('EmbedContentRequest.model', 'model must be the one of the path');
  }
  return readParams(request, 'EmbedContentRequest');
}

export function readBatchRequest(body: unknown, model: string) {
  const { requests = [] } = readBody(BatchRequest, body) as { requests?: EmbedBody[] };
  const path = 'BatchEmbedContentsRequest.requests';
  if (requests.length === 0) throw invalidMessage(path, 'requests is not specified');
  if (requests.length > MAX_REQUESTS) {
    throw invalidMessage(path, `at most ${MAX_REQUESTS} requests can be in one batch`);
  }
  return requests.map((request, at) => {
    const [{ model: name = '' }, here] = [request, `${path}[${at}]`];
    if (!name.startsWith('models/')) throw invalidMessage(`${here}.model`, 'unexpected model name format');
    if (name !== `models/${model}`) throw invalidMessage(`${here}.model`, 'model must be the one of the path');
    return readParams(request, here);
  });
}
