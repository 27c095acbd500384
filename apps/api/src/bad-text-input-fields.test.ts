import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { expectRefusal } from '../test/refusal.ts';
import { ROUTES, type TextRoute } from '../test/text-routes.ts';
import { type ScriptedUpstream, scriptedUpstream, type TextRig, textRig } from '../test/text-rig.ts';
import { says, vendorConfig } from '../test/vendor.ts';

let upstream: ScriptedUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await scriptedUpstream(says('hello'));
  rig = await textRig(vendorConfig(upstream.url));
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
afterEach(() => {
  upstream.requests.length = 0;
});

/** A value of each kind of JSON. */
const KINDS = { text: 'x', number: 1.5, flag: true, list: [[]], object: {}, nothing: null } as const;
type Kind = keyof typeof KINDS;

/** Fields and the kinds of values that they take; null is as good as absent where nothing else is said. */
const FIELDS: Readonly<Record<string, Readonly<Record<string, readonly Kind[]>>>> = {
  'chat completions': {
    model: ['text'],
    messages: ['list'],
    temperature: ['number', 'nothing'],
    top_p: ['nothing'],
    n: ['nothing'],
    stream: ['flag', 'nothing'],
    stream_options: ['object', 'nothing'],
    stop: ['text', 'nothing'],
    max_tokens: ['nothing'],
    max_completion_tokens: ['nothing'],
    presence_penalty: ['number', 'nothing'],
    frequency_penalty: ['number', 'nothing'],
    logit_bias: ['object', 'nothing'],
    user: ['text', 'nothing'],
    tools: ['list', 'nothing'],
    tool_choice: ['text', 'object', 'nothing'],
    response_format: ['object', 'nothing'],
    seed: ['nothing'],
    reasoning_effort: ['nothing'],
    modalities: ['nothing'],
    audio: ['object', 'nothing'],
  },
  'text completions': {
    model: ['text'],
    prompt: ['text', 'list'],
    max_tokens: ['nothing'],
    temperature: ['number', 'nothing'],
    top_p: ['number', 'nothing'],
    n: ['nothing'],
    stream: ['flag', 'nothing'],
    stop: ['text', 'nothing'],
    suffix: ['text', 'nothing'],
    echo: ['flag', 'nothing'],
  },
  messages: {
    model: ['text'],
    messages: ['list'],
    max_tokens: [],
    system: ['text', 'list', 'nothing'],
    cache_control: ['object', 'nothing'],
    inference_geo: ['text', 'nothing'],
    temperature: ['nothing'],
    top_p: ['number', 'nothing'],
    top_k: ['nothing'],
    stream: ['flag', 'nothing'],
    stop_sequences: ['nothing'],
    tools: ['list', 'nothing'],
    tool_choice: ['object', 'nothing'],
    thinking: ['object', 'nothing'],
    context_management: ['object', 'nothing'],
    output_config: ['object', 'nothing'],
    output_format: ['object', 'nothing'],
    container: ['text', 'object', 'nothing'],
    mcp_servers: ['list', 'nothing'],
    metadata: ['object', 'nothing'],
    speed: ['nothing'],
    service_tier: ['nothing'],
  },
  'the tokens of messages': {
    model: ['text'],
    messages: ['list'],
    system: ['text', 'list', 'nothing'],
    tools: ['list', 'nothing'],
    tool_choice: ['object', 'nothing'],
    thinking: ['object', 'nothing'],
  },
  responses: {
    model: ['text'],
    input: ['text', 'nothing'],
    instructions: ['text', 'nothing'],
    max_output_tokens: ['nothing'],
    temperature: ['number', 'nothing'],
    top_p: ['nothing'],
    stream: ['flag', 'nothing'],
    tools: ['nothing'],
    tool_choice: ['text', 'object', 'nothing'],
    reasoning: ['object', 'nothing'],
    previous_response_id: ['text', 'nothing'],
    truncation: ['nothing'],
    store: ['flag', 'nothing'],
    background: ['flag', 'nothing'],
  },
  compaction: {
    model: ['text'],
    input: ['text', 'nothing'],
    instructions: ['text', 'nothing'],
    previous_response_id: ['text', 'nothing'],
  },
  'the tokens of responses': {
    model: ['text'],
    input: ['text', 'nothing'],
    tools: ['nothing'],
    tool_choice: ['text', 'object', 'nothing'],
    reasoning: ['object', 'nothing'],
  },
  '/v1beta generateContent': contentFields(),
  '/v1beta streamGenerateContent': contentFields(),
  '/v1beta countTokens': contentFields(),
};

function contentFields(): Record<string, readonly Kind[]> {
  return {
    contents: [],
    generationConfig: ['object', 'nothing'],
    systemInstruction: ['text', 'object', 'nothing'],
    toolConfig: ['object', 'nothing'],
    cachedContent: ['text', 'nothing'],
  };
}

function routeOf(name: string): TextRoute {
  const found = ROUTES.find((route) => route.name === name);
  if (!found) throw new Error(`there is no route ${name}`);
  return found;
}

const WRONG = Object.entries(FIELDS).flatMap(([name, fields]) =>
  Object.entries(fields).flatMap(([field, kinds]) =>
    (Object.keys(KINDS) as Kind[]) // the table's own keys
      .filter((kind) => !kinds.includes(kind))
      .map((kind): [name: string, field: string, kind: Kind] => [name, field, kind]),
  ),
);

/** The field itself, or the item or member of it that is wrong. */
function within(field: string): RegExp {
  return new RegExp(`^${field}(?:\\[|$)`);
}

describe('a top-level field of a wrong kind', () => {
  afterEach(() => {
    expect(upstream.requests).toEqual([]);
  });

  it.each(WRONG)('is refused by name: %s with %s as %s', async (name, field, kind) => {
    const { at, body, native, protocol } = routeOf(name);
    const sent = { ...body(native), [field]: KINDS[kind] };
    const small = await rig.post(at(native), sent);
    const param = await refusedField(small.clone());
    expect(param).toMatch(within(field));
    await expectRefusal(small, protocol, { status: 400, code: 'invalid_request', param });
    // A long body is not read as a whole before it is sent on.
    const long = JSON.stringify({ ...sent, padding: 'x'.repeat(70_000) });
    expect(await refusedField(await rig.post(at(native), long))).toMatch(within(field));
  });
});

/** The field that an error names, wherever its protocol has room for it. */
async function refusedField(response: Response): Promise<string> {
  const { error } = (await response.json()) as {
    error: {
      message: string;
      param?: string;
      details?: [{ fieldViolations: [{ field: string }] }] | { error_code: string };
    };
  };
  expect(response.status, error.message).toBe(400);
  if (error.param) return error.param;
  if (Array.isArray(error.details)) return error.details[0].fieldViolations[0].field;
  return error.message.split(' ', 1)[0] ?? '';
}

/** Bounds of the interface, accepted and refused values. */
const LIMITS: [name: string, field: string, accepted: number[], refused: number[]][] = [
  ['chat completions', 'temperature', [0, 2, 1e-9], [-0.01, 2.01, -1e300, 1e300]],
  ['chat completions', 'top_p', [0, 1], [-0.01, 1.01]],
  ['chat completions', 'n', [1], [0, -1, 1.5]],
  ['chat completions', 'presence_penalty', [-2, 2, 0], [-2.01, 2.01]],
  ['chat completions', 'frequency_penalty', [-2, 2, 0], [-2.01, 2.01]],
  ['messages', 'max_tokens', [1], [0, -1, 1.5]],
  ['messages', 'temperature', [0, 1], [-0.01, 1.01]],
];

describe.each(LIMITS)('%s: %s', (name, field, accepted, refused) => {
  const { at, body, native, foreign, protocol } = routeOf(name);
  const LENGTHS = { short: '', long: 'x'.repeat(70_000) };

  describe.each(['short', 'long'] as const)('in a %s body', (length) => {
    it.each(accepted)('may be %d, relayed or translated', async (value) => {
      for (const model of [native, foreign]) {
        const sent = { ...body(model), [field]: value, padding: LENGTHS[length] };
        const response = await rig.post(at(model), sent);
        expect(response.status, await response.text()).toBe(200);
      }
      expect(upstream.requests[0]?.body[field]).toBe(value);
    });

    it.each(refused)('may not be %d, relayed or translated', async (value) => {
      for (const model of [native, foreign]) {
        const sent = { ...body(model), [field]: value, padding: LENGTHS[length] };
        await expectRefusal(await rig.post(at(model), sent), protocol, {
          status: 400,
          code: 'invalid_request',
          param: field,
        });
      }
      expect(upstream.requests).toEqual([]);
    });
  });
});

describe('a word that is not in the list of the interface', () => {
  it.each([
    ['messages', 'speed', 'slow'],
    ['messages', 'service_tier', 'gold'],
    ['responses', 'truncation', 'maybe'],
    ['chat completions', 'reasoning_effort', 'extreme'],
    ['chat completions', 'verbosity', 'loud'],
  ])('is refused: %s with %s as %s', async (name, field, word) => {
    const { at, body, native, protocol } = routeOf(name);
    const response = await rig.post(at(native), { ...body(native), [field]: word });
    await expectRefusal(response, protocol, { status: 400, code: 'invalid_request', param: field });
    expect(upstream.requests).toEqual([]);
  });
});

describe('what is required', () => {
  it.each([
    ['chat completions', 'messages'],
    ['text completions', 'prompt'],
    ['messages', 'messages'],
    ['messages', 'max_tokens'],
    ['/v1beta generateContent', 'contents'],
  ])('is missed by name: %s without %s', async (name, field) => {
    const { at, body, native, protocol } = routeOf(name);
    const response = await rig.post(at(native), { ...body(native), [field]: undefined });
    const message = /required/;
    await expectRefusal(response, protocol, { status: 400, code: 'invalid_request', param: field, message });
    expect(upstream.requests).toEqual([]);
  });

  it.each([
    ['chat completions', 'messages', []],
    ['chat completions', 'model', ''],
    ['text completions', 'prompt', []],
    ['messages', 'model', ''],
    ['responses', 'model', ''],
    ['/v1 generateContent', 'contents', []],
  ])('may not be empty: %s with no %s in it', async (name, field, value) => {
    const { at, body, native, protocol } = routeOf(name);
    const response = await rig.post(at(native), { ...body(native), [field]: value });
    await expectRefusal(response, protocol, { status: 400, code: 'invalid_request', param: field });
    expect(upstream.requests).toEqual([]);
  });
});
