import type { TextProtocolName } from '@sluice/canonical';
import { amount } from '../json/amount.ts';
import { isRecord } from '../json/is-record.ts';

export interface BoundsInBody {
  /** Maximum output tokens per choice. Undefined if unlimited. */
  maxOutputTokens?: number;
  /**
   * The largest limit in a field that only some upstreams support (e.g. `max_new_tokens`). Other upstreams ignore it.
   */
  otherMaxTokens?: number;
  /** Number of choices, at least 1. */
  choices: number;
}

interface BoundFields {
  within?: readonly string[];
  tokens: readonly string[];
  choices: readonly string[];
}

const FIELDS: Readonly<Record<TextProtocolName, BoundFields>> = {
  'chat-completions': { tokens: ['max_completion_tokens', 'max_tokens'], choices: ['n'] },
  responses: { tokens: ['max_output_tokens'], choices: [] },
  messages: { tokens: ['max_tokens'], choices: [] },
  'generative-content': {
    within: ['generationConfig', 'generation_config'],
    tokens: ['maxOutputTokens', 'max_output_tokens'],
    choices: ['candidateCount', 'candidate_count'],
  },
};

/** Token limit fields of vendors, vLLM, Hugging Face, Ollama, and OpenRouter: in the body and in {@link LIMIT_OBJECTS}. */
export const TOKEN_LIMITS = [
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'max_new_tokens',
  'max_tokens_to_sample',
  'num_predict',
];
export const LIMIT_OBJECTS = ['extra_body', 'options', 'reasoning'];

/** If a body contains several limits, the largest one applies, because the vendor might use any of them. */
export function boundsInBody(protocol: TextProtocolName, member: (name: string) => unknown): BoundsInBody {
  const { within, tokens, choices } = FIELDS[protocol];
  const objects = within?.map(member).filter(isRecord);
  const values = (names: readonly string[]): unknown[] =>
    objects ? objects.flatMap((object) => names.map((name) => object[name])) : names.map(member);
  const others = [
    ...TOKEN_LIMITS.filter((name) => !tokens.includes(name)).map(member),
    ...LIMIT_OBJECTS.map((name) => membersOf(member(name))).flatMap((memberOf) => TOKEN_LIMITS.map(memberOf)),
  ];
  const extra = membersOf(member('extra_body'));
  const otherChoices = protocol === 'chat-completions' ? [member('best_of'), extra('n'), extra('best_of')] : [];
  return {
    maxOutputTokens: largest(values(tokens)),
    otherMaxTokens: largest(others),
    choices: Math.max(1, largest([...values(choices), ...otherChoices]) ?? 1),
  };
}

function membersOf(value: unknown): (name: string) => unknown {
  return (name) => (isRecord(value) ? value[name] : undefined);
}

function largest(values: readonly unknown[]): number | undefined {
  const counts = values.map((value) => amount(value) ?? 0).filter((count) => count > 0);
  return counts.length === 0 ? undefined : Math.max(...counts);
}
