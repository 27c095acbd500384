import type { TextProtocolName } from '@sluice/canonical';
import { amount } from '../json/amount.ts';
import { isRecord } from '../json/is-record.ts';

export interface BoundsInBody {
  /** Maximum output tokens per choice. Undefined if unlimited. */
  maxOutputTokens?: number | undefined;
  /**
   * The largest limit in a field that only some upstreams support (e.g. `max_new_tokens`). Other upstreams ignore it.
   */
  otherMaxTokens?: number | undefined;
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

/** Limits in the body itself that are not fields of the protocol. */
const OTHER_LIMITS: Readonly<Record<TextProtocolName, readonly string[]>> = {
  'chat-completions': otherLimits('chat-completions'),
  responses: otherLimits('responses'),
  messages: otherLimits('messages'),
  'generative-content': otherLimits('generative-content'),
};

function otherLimits(protocol: TextProtocolName): string[] {
  return TOKEN_LIMITS.filter((name) => !FIELDS[protocol].tokens.includes(name));
}

type Members = (name: string) => unknown;

/** If a body contains several limits, the largest one applies, because the vendor might use any of them. */
export function boundsInBody(protocol: TextProtocolName, member: Members): BoundsInBody {
  const { within, tokens, choices } = FIELDS[protocol];
  const body = [member];
  const own = within ? objectsIn(member, within) : body;
  const others = Math.max(
    largest(body, OTHER_LIMITS[protocol]),
    largest(objectsIn(member, LIMIT_OBJECTS), TOKEN_LIMITS),
  );
  let maxChoices = largest(own, choices);
  if (protocol === 'chat-completions') {
    maxChoices = Math.max(maxChoices, largest(body, ['best_of']), largest(objectsIn(member, ['extra_body']), CHOICES));
  }
  return {
    maxOutputTokens: largest(own, tokens) || undefined,
    otherMaxTokens: others || undefined,
    choices: Math.max(1, maxChoices),
  };
}

const CHOICES = ['n', 'best_of'];

function objectsIn(member: Members, names: readonly string[]): Members[] {
  const objects: Members[] = [];
  for (const name of names) {
    const value = member(name);
    if (isRecord(value)) objects.push((field) => value[field]);
  }
  return objects;
}

/** Returns the largest positive number of the fields, or 0. */
function largest(objects: readonly Members[], names: readonly string[]): number {
  let max = 0;
  for (const member of objects) for (const name of names) max = Math.max(max, amount(member(name)) ?? 0);
  return max;
}
