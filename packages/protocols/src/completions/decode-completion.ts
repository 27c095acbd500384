import { GatewayError } from '@sluice/canonical';
import type { CompletionBody } from './schema.ts';

/** A text completion converted to chat requests, one per prompt. */
export interface DecodedCompletion {
  prompts: string[];
  request: (prompt: string) => Record<string, unknown>;
  echo: boolean;
  choicesPerPrompt: number;
}

/** Fields with the same meaning in chat completions. */
const SHARED_FIELDS = [
  'model',
  'max_tokens',
  'temperature',
  'top_p',
  'n',
  'stream',
  'stream_options',
  'stop',
  'presence_penalty',
  'frequency_penalty',
  'logit_bias',
  'seed',
  'user',
] as const;

/**
 * Decodes a body, validated by {@link CompletionsTopLevel}, for upstreams that support only chat.
 * @throws GatewayError `unsupported_parameter` for token prompts, `suffix`, `logprobs`, and `best_of` above 1;
 * `invalid_request` for prompts of another type
 */
export function decodeCompletion(body: Record<string, unknown>): DecodedCompletion {
  const fields = body as CompletionBody; // The cast is safe because the schema validated the body.
  const prompts = decodePrompts(fields.prompt);
  // Some editors send an empty suffix.
  if ((fields.suffix ?? '') !== '') throw unsupported('suffix', 'is not supported by this model');
  if ((fields.logprobs ?? undefined) !== undefined) throw unsupported('logprobs', 'is not supported by this model');
  if ((fields.best_of ?? 1) > 1) throw unsupported('best_of', 'above 1 is not supported by this model');
  const shared = Object.fromEntries(SHARED_FIELDS.map((name) => [name, fields[name] ?? undefined]));
  return {
    prompts,
    request: (prompt) => ({ ...shared, messages: [{ role: 'user', content: prompt }] }),
    echo: fields.echo === true,
    choicesPerPrompt: fields.n ?? 1,
  };
}

function decodePrompts(prompt: string | readonly unknown[]): string[] {
  if (typeof prompt === 'string') return [prompt];
  return prompt.map((text, index) => {
    if (typeof text === 'string') return text;
    if (typeof text === 'number' || Array.isArray(text)) {
      throw unsupported('prompt', 'as tokens is not supported by this model. Send text');
    }
    const param = `prompt[${index}]`;
    throw new GatewayError('invalid_request', `${param} must be a string.`, { param });
  });
}

function unsupported(param: string, problem: string): GatewayError {
  return new GatewayError('unsupported_parameter', `${param} ${problem}.`, { param });
}
