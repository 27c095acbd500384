import type { TextProtocolName } from '@sluice/canonical';
import { amount } from '../json/amount.ts';
import { isRecord } from '../json/is-record.ts';

export interface BoundsInBody {
  /** Tokens per choice; absent: unlimited. */
  maxOutputTokens?: number;
  /** At least 1. */
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

/** If a body has several limits, the largest counts, because the vendor may use any of them. */
export function boundsInBody(protocol: TextProtocolName, member: (name: string) => unknown): BoundsInBody {
  const { within, tokens, choices } = FIELDS[protocol];
  const objects = within?.map(member).filter(isRecord);
  const largest = (names: readonly string[]): number | undefined => {
    const values = objects ? objects.flatMap((object) => names.map((name) => object[name])) : names.map(member);
    const counts = values.map((value) => amount(value) ?? 0).filter((count) => count > 0);
    return counts.length === 0 ? undefined : Math.max(...counts);
  };
  return { maxOutputTokens: largest(tokens), choices: Math.max(1, largest(choices) ?? 1) };
}
