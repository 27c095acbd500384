import { objectOrEmpty } from '../json/values.ts';
import type { DecodedCompletion } from './decode-completion.ts';
import { chatChoices, chatText, sumUsage, textFinish, type TextChoice } from './text-choice.ts';

export interface CompletionContext {
  completion: DecodedCompletion;
  model: string;
  /** Time of the request, in Unix seconds. */
  createdAt: number;
  /** Creates an unguessable id. */
  newId: (prefix: string) => string;
}

/** @param chatResponses chat completions, one per prompt, in order */
export function encodeCompletion(chatResponses: readonly unknown[], context: CompletionContext): unknown {
  const { completion, model, createdAt, newId } = context;
  return {
    id: newId('cmpl-'),
    object: 'text_completion',
    created: createdAt,
    model,
    choices: chatResponses.flatMap((response, promptIndex) =>
      chatChoices(response).map(({ index: choiceIndex, choice }): TextChoice => {
        const text = chatText(choice['message']);
        return {
          text: completion.echo ? (completion.prompts[promptIndex] ?? '') + text : text,
          index: promptIndex * completion.choicesPerPrompt + choiceIndex,
          logprobs: null,
          finish_reason: textFinish(choice['finish_reason']) ?? 'stop',
        };
      }),
    ),
    usage: sumUsage(chatResponses.map((response) => objectOrEmpty(response)['usage'])),
  };
}
