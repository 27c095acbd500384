import type { Loss, UpstreamProtocolName } from '@sluice/canonical';
import type { ReportLost, ResponsePart } from './response-losses.ts';

/** The upstream's field of each part that a client's protocol may not be able to express. */
const FIELDS: Readonly<Record<UpstreamProtocolName, Partial<Record<ResponsePart, string>>>> = {
  'chat-completions': {
    choices: 'choices[]',
    citations: 'choices[].message.annotations',
    'cited text': 'choices[].message.annotations[].url_citation.content',
    'citation range': 'choices[].message.annotations[].url_citation.start_index',
    audio: 'choices[].message.audio',
    'audio transcript': 'choices[].message.audio.transcript',
    image: 'choices[].message.images',
    'stop sequence': 'choices[].stop_reason',
    'audio input tokens': 'usage.prompt_tokens_details.audio_tokens',
    'audio output tokens': 'usage.completion_tokens_details.audio_tokens',
    'image input tokens': 'usage.prompt_tokens_details.image_tokens',
  },
  responses: {
    citations: 'output[].content[].annotations',
    'citation range': 'output[].content[].annotations[].start_index',
    image: 'output[image_generation_call]',
    'audio input tokens': 'usage.prompt_tokens_details.audio_tokens',
    'audio output tokens': 'usage.completion_tokens_details.audio_tokens',
    'image input tokens': 'usage.prompt_tokens_details.image_tokens',
  },
  messages: {
    citations: 'content[].citations',
    'cited text': 'content[].citations[].cited_text',
    'stop sequence': 'stop_sequence',
    'stop details': 'stop_details.explanation',
  },
  'generative-content': {
    choices: 'candidates[]',
    citations: 'candidates[].groundingMetadata',
    'cited text': 'candidates[].groundingMetadata.groundingChunks[].retrievedContext.text',
    'citation range': 'candidates[].groundingMetadata.groundingSupports[].segment',
    'stop details': 'candidates[].finishMessage',
    'audio input tokens': 'usageMetadata.promptTokensDetails',
    'audio output tokens': 'usageMetadata.candidatesTokensDetails',
    'image input tokens': 'usageMetadata.promptTokensDetails',
  },
  converse: {
    citations: 'output.message.content[].citationsContent',
    'cited text': 'output.message.content[].citationsContent.citations[].sourceContent',
    image: 'output.message.content[].image',
    'stop sequence': 'additionalModelResponseFields.stop_sequence',
  },
};

/** The upstream's list of blocks. A foreign block is named by its kind in this list. */
const BLOCKS: Readonly<Record<UpstreamProtocolName, string>> = {
  'chat-completions': 'choices[].message.content',
  responses: 'output',
  messages: 'content',
  'generative-content': 'candidates[].content.parts',
  converse: 'output.message.content',
};

/** A vendor that sends ever new fields must not fill the memory or the log. */
const MAX_LOSSES = 100;

/** Collects the losses of one response, each once, up to a limit. */
export interface ResponseLosses {
  list: readonly Loss[];
  report: (loss: Loss) => void;
  lost: ReportLost;
}

export function createResponseLosses(upstream: UpstreamProtocolName): ResponseLosses {
  const list: Loss[] = [];
  const seen = new Set<string>();

  function report(loss: Loss): void {
    if (list.length >= MAX_LOSSES || seen.has(loss.field)) return;
    seen.add(loss.field);
    list.push(loss);
  }

  return {
    list,
    report,
    lost: (part) => {
      const field = typeof part === 'string' ? FIELDS[upstream][part] : undefined;
      const name =
        typeof part === 'string' ? (field ?? `${BLOCKS[upstream]}[${part}]`) : `${BLOCKS[upstream]}[${part.kind}]`;
      report({ field: `response.${name}`, how: 'dropped' });
    },
  };
}
