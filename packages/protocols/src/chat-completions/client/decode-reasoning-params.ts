import { EFFORTS, type Effort, type Reasoning } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asNonEmptyObject, isSet, objectOrEmpty, type JsonObject } from '../../json/values.ts';

/** Fields that control reasoning, as defined by OpenAI or by compatible vendors. */
export const REASONING_FIELDS = [
  'reasoning_effort',
  'reasoning',
  'include_reasoning',
  'thinking',
  'enable_thinking',
  'thinking_budget',
  'chat_template_kwargs',
  'extra_body',
] as const;

/**
 * Decodes reasoning parameters:
 *
 * - `reasoning_effort` (OpenAI)
 * - `reasoning` (OpenRouter)
 * - `thinking` (DeepSeek, GLM, Kimi)
 * - `enable_thinking` and `thinking_budget` (Qwen), also inside `chat_template_kwargs` (vLLM)
 * - `extra_body.google.thinking_config` (Gemini)
 */
export function decodeReasoningParams(body: JsonObject): Reasoning | undefined {
  const open = objectOrEmpty(body['reasoning']);
  const thinking = objectOrEmpty(body['thinking']);
  const template = objectOrEmpty(body['chat_template_kwargs']);
  const google = objectOrEmpty(objectOrEmpty(objectOrEmpty(body['extra_body'])['google'])['thinking_config']);

  const effort = effortIn(body['reasoning_effort'], open['effort'], google['thinking_level']);
  const budget = numberIn(
    open['max_tokens'],
    thinking['budget_tokens'],
    body['thinking_budget'],
    google['thinking_budget'],
  );
  const type = thinking['type'];
  const isOn = flagIn(
    type === 'enabled' || type === 'adaptive' ? true : type === 'disabled' ? false : undefined,
    open['enabled'],
    body['enable_thinking'],
    template['enable_thinking'],
    template['thinking'],
  );
  const enabled = effort === 'none' || budget === 0 ? false : isOn;
  const visible = visibility(open['exclude'], body['include_reasoning'], google['include_thoughts']);
  const isAdaptive = type === 'adaptive' || budget === -1;
  return asNonEmptyObject<Reasoning>({
    enabled,
    effort,
    budgetTokens: budget !== undefined && budget > 0 ? budget : undefined,
    adaptive: isAdaptive || undefined,
    visible,
  });
}

function visibility(exclude: unknown, include: unknown, thoughts: unknown): Reasoning['visible'] {
  if (exclude === true || include === false || thoughts === false) return 'none';
  return exclude === false || include === true || thoughts === true ? 'full' : undefined;
}

function effortIn(...values: unknown[]): Effort | undefined {
  const name = values.find((value) => typeof value === 'string');
  return EFFORTS.find((effort) => effort === name?.toLowerCase());
}

function numberIn(...values: unknown[]): number | undefined {
  return values.find((value) => typeof value === 'number');
}

function flagIn(...values: unknown[]): boolean | undefined {
  return values.find((value) => typeof value === 'boolean');
}

/** Lists the entries of `chat_template_kwargs` and `extra_body` that do not control reasoning. They are dropped. */
export function otherExtras(body: JsonObject): string[] {
  const template = Object.keys(objectOrEmpty(body['chat_template_kwargs']))
    .filter((name) => name !== 'enable_thinking' && name !== 'thinking')
    .map((name) => `chat_template_kwargs[${name}]`);
  const extra = objectOrEmpty(body['extra_body']);
  const outer = Object.keys(extra).filter((name) => name !== 'google' || !isRecord(extra[name]));
  const google = Object.keys(objectOrEmpty(extra['google'])).filter((name) => name !== 'thinking_config');
  return [
    ...template,
    ...outer.filter((name) => isSet(extra[name])).map((name) => `extra_body[${name}]`),
    ...google.map((name) => `extra_body[google][${name}]`),
  ];
}
