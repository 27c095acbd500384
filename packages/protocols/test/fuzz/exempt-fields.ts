import type { Ends } from './ends.ts';

type Body = Record<string, unknown>;

/** Names of losses that differ from the client's field, as in `docs/use/losses.md`. */
const ALIASES: readonly (readonly [field: RegExp, loss: string])[] = [
  [
    /(^|\.)(reasoning_content|reasoning_details|thinking_blocks|thinking|signature|thoughtSignature|thought_signature|encrypted_content)(\.|$)/,
    'reasoning',
  ],
  [
    /^(include_reasoning|enable_thinking|thinking_budget|chat_template_kwargs\.(enable_)?thinking|reasoning\.(enabled|exclude|summary|effort))$/,
    'reasoning',
  ],
  [/^(extra_body\.google\.thinking_config|generationConfig\.thinkingConfig)\./, 'reasoning'],
  [/^include$/, 'logprobs'],
  [/(^|\.)(prompt_cache_breakpoint|prompt_cache_options)(\.|$)/, 'cache_control'],
  [/(prompt_cache_breakpoint|prompt_cache_options)\.ttl$/, 'cache_control.ttl'],
  [/^(top_logprobs|generationConfig\.(logprobs|responseLogprobs))$/, 'logprobs'],
  [/^(stop_sequences|generationConfig\.stopSequences)$/, 'stop'],
  [/^(safety_identifier|metadata\.user_id)$/, 'user'],
  [/^safetySettings\./, 'safety_settings'],
  [/(^|\.)(title|displayName)$/, 'filename'],
  [/\.citations\./, 'citations'],
  [/(^|\.)annotations\./, 'citations'],
  [/(^|\.)(tools|functions|tool)\..*(parameters|input_schema)\./, 'tools.parameters'],
  [/^functions\.|^messages\.content\.tool\./, 'tools'],
  [/^functions\.strict$|\.tool\.strict$|\.function\.strict$|\.tools\.strict$/, 'tools.strict'],
  [/^(text\.format|output_config\.format|output_format|generationConfig\.response(Json)?Schema)\./, 'response_format'],
  [/^max_completion_tokens$|^generationConfig\.maxOutputTokens$/, 'max_tokens'],
  [/^text\.format\.name$/, 'response_format.name'],
  [/^text\.format\.description$/, 'response_format.description'],
  [/^response_format\.json_schema\.name$/, 'response_format.name'],
  [/^response_format\.json_schema\.description$/, 'response_format.description'],
  [/^generationConfig\.speechConfig\./, 'audio.voice'],
  [/^(text\.verbosity)$/, 'verbosity'],
  [
    /^(include_reasoning|enable_thinking|thinking_budget|thinking\.|chat_template_kwargs\.(enable_)?thinking|reasoning\.|extra_body\.google\.thinking_config\.|generationConfig\.thinkingConfig\.)/,
    'reasoning_effort',
  ],
  [/^((input\.)?reasoning\.effort|output_config\.effort|messages\.output_config\.effort)$/, 'reasoning_effort'],
  [/^messages\.output_config\.effort$/, 'reasoning'],
  [/budget|reasoning\.max_tokens/i, 'reasoning_budget'],
  [/(^|\.)tool_choice\.disable_parallel_tool_use$/, 'parallel_tool_calls'],
];

const KIND_ALIASES: readonly (readonly [kind: RegExp, losses: readonly string[]])[] = [
  [/^(redacted_)?thinking$/, ['reasoning']],
  [/image/, ['image', 'system image', 'assistant media']],
  [/file|document|search_result/, ['document', 'system document']],
  [/audio/, ['audio', 'system audio']],
];

export function kindAliases(kind: string): string[] {
  return KIND_ALIASES.flatMap(([sought, losses]) => (sought.test(kind) ? losses : []));
}

export function aliasesOf(name: string): string[] {
  return ALIASES.flatMap(([field, loss]) => (field.test(name) ? [loss] : []));
}

/** Fields whose value is the default, at every upstream. */
const DEFAULTS = new Set([
  'n 1',
  'tool_choice "auto"',
  'generationConfig.candidateCount 1',
  'modalities "text"',
  'generationConfig.responseModalities "TEXT"',
  'generationConfig.responseMimeType "text/plain"',
  'service_tier "auto"',
  'prompt_cache_options.mode "implicit"',
]);

export function isExempt({ upstream, target }: Ends, name: string, value: unknown, body: Body): boolean {
  // Types and roles select the fields next to them. Media types follow from the source.
  if (/(^|\.)(type|role|media_type)$/.test(name)) return true;
  // The gateway's own state.
  if (/^(store|input\.id|input\.status)$/.test(name)) return true;
  if (DEFAULTS.has(`${name} ${JSON.stringify(value)}`)) return true;
  // `explicit` is the only mode of a breakpoint, and `wav` the default format.
  if (name.endsWith('prompt_cache_breakpoint.mode') || (name.endsWith('input_audio.format') && value === 'wav'))
    return true;
  // Other protocols always enforce a schema, and a schema implies JSON.
  if (/(json_schema|text\.format)\.strict$/.test(name)) return true;
  if (name === 'generationConfig.responseMimeType') return value === 'application/json';
  if (/gpt-5|gemini-3|opus-5-5|qwen3|^x$|vendor-model/.test(target?.model ?? '') && isThinkingOn(name, value))
    return true;
  return hasNoEffect(name, value, body) || isHiddenByGateway(upstream.name, name, value);
}

/** Some models always think by themselves. */
function isThinkingOn(name: string, value: unknown): boolean {
  return value === -1 || (value === true && /(enable_thinking|kwargs\.thinking|reasoning\.enabled)$/.test(name));
}

/** Settings of tools without tools, and of reasoning without reasoning. */
function hasNoEffect(name: string, value: unknown, body: Body): boolean {
  const isThinkingSwitch = name.endsWith('enable_thinking');
  const hasTools = body['tools'] !== undefined || body['functions'] !== undefined;
  const choice = body['tool_choice'];
  const isNone = choice === 'none' || JSON.stringify(choice) === '{"type":"none"}';
  // The effort of a turn or an item replaces the earlier one.
  if (/(output_config|reasoning)\.effort$/.test(name) && value !== 'none')
    return JSON.stringify(body).split('"effort":').length > 2;
  // A budget implies thinking.
  if (isThinkingSwitch) return body['thinking_budget'] !== undefined || value === false;
  // A schema that becomes a forced tool implies one call.
  const hasFormat = body['response_format'] !== undefined || body['text'] !== undefined;
  if (name === 'parallel_tool_calls') return body['tools'] === undefined || isNone || hasFormat;
  if (/^(tool_choice|function_call|toolConfig)/.test(name)) return !hasTools || value === 'auto';
  if (/effort$|thinking_level$|thinkingLevel$/.test(name)) return value === 'none';
  if (name === 'reasoning.summary') return JSON.stringify(body['reasoning']).includes('"none"');
  if (name === 'thinking.display') return JSON.stringify(body['thinking']).includes('"enabled"');
  const config = JSON.stringify(body['generationConfig'] ?? {});
  if (name.endsWith('includeThoughts')) return config.includes('"thinkingBudget":0');
  // Shown reasoning implies reasoning.
  const isShown = config.includes('"includeThoughts":true');
  return name.endsWith('thinkingBudget') && (value === 0 || (value === -1 && isShown));
}

/** The gateway leaves reasoning out of the response, and chat upstreams show it by default. */
function isHiddenByGateway(upstream: string, name: string, value: unknown): boolean {
  const isShown = name.endsWith('exclude') ? value === false : SHOWN.has(JSON.stringify(value));
  const isVisibility =
    /(include_reasoning|exclude|includeThoughts|include_thoughts|thinking\.display|reasoning\.summary)$/.test(name);
  return isVisibility && (!isShown || upstream === 'chat-completions');
}

const SHOWN = new Set(['true', '"summarized"', '"auto"', '"detailed"']);
