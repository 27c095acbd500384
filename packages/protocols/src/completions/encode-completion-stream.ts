import type { GatewayError } from '@sluice/canonical';
import { SSE_COMMENT, sseData } from '../stream/sse.ts';
import type { EncodeError } from '../contracts/encode-error.ts';
import { isRecord } from '../json/is-record.ts';
import type { CompletionContext } from './encode-completion.ts';
import { chatChoices, chatText, sumUsage, textFinish, type TextChoice } from './text-choice.ts';

/** Writes a stream of a text completion out of the chat streams of its prompts, which may run side by side. */
export interface CompletionStreamEncoder {
  /**
   * @param promptIndex whose stream it is
   * @param chunk a chat chunk as parsed from JSON; one with an `error` ends the stream
   */
  push(promptIndex: number, chunk: unknown): string;
  /** All streams are through: usage where it was asked for, and `[DONE]`. */
  end(): string;
  /** What ends the stream when something went wrong, at any time. */
  fail(error: GatewayError): string;
  /** A frame without meaning, valid at any time. */
  keepAlive(): string;
}

/** What {@link createCompletionStreamEncoder} knows. */
export interface CompletionStreamContext extends CompletionContext {
  /** Whether the client asked for `stream_options.include_usage`. */
  includesUsage: boolean;
  encodeError: EncodeError;
}

/** Makes the encoder of one stream. With `echo` each choice begins with its prompt, as a chunk of its own. */
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
    // Chunks that tell a role, reasoning or a call alone have nothing to say here.
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
