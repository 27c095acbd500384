import type { GatewayError } from '@sluice/canonical';
import { SSE_COMMENT, sseData } from '../stream/sse.ts';
import type { EncodeError } from '../contracts/encode-error.ts';
import { isRecord } from '../json/is-record.ts';
import type { CompletionContext } from './encode-completion.ts';
import { chatChoices, chatText, sumUsage, textFinish, type TextChoice } from './text-choice.ts';

/** Merges the chat streams of a text completion's prompts into one stream. The chat streams may run in parallel. */
export interface CompletionStreamEncoder {
  /** @param chunk a parsed chat chunk; a chunk with `error` ends the stream */
  push(promptIndex: number, chunk: unknown): string;
  /** Call it after all streams have ended. Returns usage, if requested, and `[DONE]`. */
  end(): string;
  fail(error: GatewayError): string;
  /** A frame without content. */
  keepAlive(): string;
}

export interface CompletionStreamContext extends CompletionContext {
  includesUsage: boolean;
  encodeError: EncodeError;
}

/** With `echo`, each choice begins with a separate chunk that contains its prompt. */
export function createCompletionStreamEncoder(context: CompletionStreamContext): CompletionStreamEncoder {
  const { completion, includesUsage } = context;
  const head = {
    id: context.newId('cmpl-'),
    object: 'text_completion',
    created: context.createdAt,
    model: context.model,
  };
  const startedChoices = new Set<number>();
  const usages: unknown[] = [];
  let isDone = false;

  function frame(choices: TextChoice[], usage: unknown = null): string {
    return sseData({ ...head, choices, usage: includesUsage ? usage : undefined });
  }

  function encodeChoice(promptIndex: number, index: number, text: string, reason: TextChoice['finish_reason']): string {
    let echo = '';
    if (!startedChoices.has(index)) {
      startedChoices.add(index);
      const prompt = completion.prompts[promptIndex] ?? '';
      if (completion.echo && prompt !== '') {
        echo = frame([{ text: prompt, index, logprobs: null, finish_reason: null }]);
      }
    }
    // Chunks that contain only a role, reasoning, or a call have no text.
    if (text === '' && reason === null) return echo;
    return echo + frame([{ text, index, logprobs: null, finish_reason: reason }]);
  }

  return {
    push: (promptIndex, chunk) => {
      if (isDone || !isRecord(chunk)) return '';
      if (isRecord(chunk['error'])) {
        isDone = true;
        return sseData({ error: chunk['error'] });
      }
      if (isRecord(chunk['usage'])) usages[promptIndex] = chunk['usage'];
      return chatChoices(chunk)
        .map(({ index: choiceIndex, choice }) => {
          const index = promptIndex * completion.choicesPerPrompt + choiceIndex;
          return encodeChoice(promptIndex, index, chatText(choice['delta']), textFinish(choice['finish_reason']));
        })
        .join('');
    },
    end: () => {
      if (isDone) return '';
      isDone = true;
      const usage = sumUsage(usages);
      return `${includesUsage && usage ? frame([], usage) : ''}data: [DONE]\n\n`;
    },
    fail: (error) => {
      if (isDone) return '';
      isDone = true;
      return sseData(context.encodeError(error));
    },
    keepAlive: () => SSE_COMMENT,
  };
}
