import type { TextProtocolName } from '@sluice/canonical';
import { amount } from '../json/amount.ts';
import { isRecord } from '../json/is-record.ts';

/** What a request says of the size of its answer. */
export interface BoundsInBody {
  /** Tokens of one answer; absent: no bound. */
  maxOutputTokens?: number;
  /** Answers, at least 1. */
  choices: number;
}

/** Where a protocol says it, in every spelling that its vendors read. */
interface BoundFields {
  /** The members that hold the others; absent: they stand at the top. */
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

/**
 * Reads how large an answer may become from the body as it came, which the vendor may read otherwise than we do: of
 * several bounds the largest counts.
 * @param member a member of the body
 */
export function boundsInBody(protocol: TextProtocolName, member: (name: string) => unknown): BoundsInBody {
  const { within, tokens, choices } = FIELDS[protocol];
  const places = within?.map(member).filter(isRecord);
  const largest = (names: readonly string[]): number | undefined => {
    const told = places ? places.flatMap((place) => names.map((name) => place[name])) : names.map(member);
    const counts = told.map((value) => amount(value) ?? 0).filter((count) => count > 0);
    return counts.length === 0 ? undefined : Math.max(...counts);
  };
  const maxOutputTokens = largest(tokens);
  return { ...(maxOutputTokens !== undefined && { maxOutputTokens }), choices: Math.max(1, largest(choices) ?? 1) };
}
