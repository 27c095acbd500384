import type { GatewayError } from '@sluice/canonical';
import { SSE_COMMENT, sseData } from '../stream/sse.ts';
import type { EncodeError } from '../contracts/encode-error.ts';
import { isRecord } from '../json/is-record.ts';
import type { CompletionContext } from './encode-completion.ts';
import { chatChoices, chatText, sumUsage, textFinish, type TextChoice } from './text-choice.ts';

/** Encodes the stream of a text completion from the chat streams of its prompts, which may run in parallel. */
export interface CompletionStreamEncoder {
  /**
   * @param promptIndex the prompt of this stream
   * @param chunk a parsed chat chunk; one with an `error` ends the stream
   */
  push(promptIndex: number, chunk: unknown): string;
  /** Called when all streams have ended: usage if requested, and `[DONE]`. */
  end(): string;
  /** Ends the stream after an error, at any time. */
  fail(error: GatewayError): string;
  /** A frame without content, valid at any time. */
  keepAlive(): string;
}

export interface CompletionStreamContext extends CompletionContext {
  includesUsage: boolean;
  encodeError: EncodeError;
}

/** With `echo`, each choice begins with its prompt as a chunk of its own. */
export function createCompletionStreamEncoder(context: CompletionStreamContext): CompletionStreamEncoder {
  const { completion, includesUsage } = context;
  const head = {
    id: context.newId('cmpl-'),
    object: 'text_completion',
    created: context.createdAt,
    model: context.model,
  };
  const begun = new Set<number>();
  const usages: unknown[] = [];
  let isOver = false;

  function frame(choices: TextChoice[], usage?: unknown): string {
    return sseData({ ...head, choices, ...(includesUsage && { usage: usage ?? null }) });
  }

  function takeChoice(promptIndex: number, index: number, text: string, reason: TextChoice['finish_reason']): string {
    let written = '';
    if (!begun.has(index)) {
      begun.add(index);
      const prompt = completion.prompts[promptIndex] ?? '';
      if (completion.echo && prompt !== '') {
        written += frame([{ text: prompt, index, logprobs: null, finish_reason: null }]);
      }
    }
    // Chunks with only a role, reasoning, or a call have no text.
    if (text === '' && reason === null) return written;
    return written + frame([{ text, index, logprobs: null, finish_reason: reason }]);
  }

  return {
    push: (promptIndex, chunk) => {
      if (isOver || !isRecord(chunk)) return '';
      if (isRecord(chunk['error'])) {
        isOver = true;
        return sseData({ error: chunk['error'] });
      }
      if (isRecord(chunk['usage'])) usages[promptIndex] = chunk['usage'];
      return chatChoices(chunk)
        .map(({ at, choice }) => {
          const index = promptIndex * completion.choicesPerPrompt + at;
          return takeChoice(promptIndex, index, chatText(choice['delta']), textFinish(choice['finish_reason']));
        })
        .join('');
    },
    end: () => {
      if (isOver) return '';
      isOver = true;
      const usage = sumUsage(usages);
      return `${includesUsage && usage ? frame([], usage) : ''}data: [DONE]\n\n`;
    },
    fail: (error) => {
      if (isOver) return '';
      isOver = true;
      return sseData(context.encodeError(error));
    },
    keepAlive: () => SSE_COMMENT,
  };
}
