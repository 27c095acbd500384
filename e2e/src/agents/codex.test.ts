import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { uniqueWord } from '../text/conversation.ts';
import { UPSTREAMS } from '../text/pairs.ts';
import { startTextStack, type TextStack } from '../text/text-stack.ts';
import { type Codex, codex, type Provider } from './codex.ts';
import { AGENTS_ENABLED, INSTALL_MS, installAgent, WHY_SKIPPED } from './install-agent.ts';
import { IMAGE } from './workspace.ts';

/**
 * For models with these names, Codex sends short requests, with the tools in the input. One tool runs JavaScript. The
 * responses API supports this kind of tool, so its scripts are sent as plain text.
 */
const GPT_NAMES = [
  { model: 'gpt-6-astra', upstream: 'sandbox-chat', script: asArgument },
  { model: 'gpt-6.1-sol', upstream: 'sandbox-responses', script: (code: string) => code },
  { model: 'gpt-6-sol', upstream: 'sandbox-messages', script: asArgument },
  { model: 'gpt-5.6-luna', upstream: 'sandbox-generative', script: asArgument },
];
/**
 * A Claude model that supports output formats. For other models, the gateway replaces the format with a tool, which the
 * sandbox does not call.
 */
const CLAUDE = 'claude-sonnet-5-5';
const WITH_FORMATS = UPSTREAMS.map(({ model, protocol }) => ({ model: protocol === 'messages' ? CLAUDE : model }));

const PROVIDERS: Provider[] = ['custom', 'built-in'];

function scriptThatRuns(command: string): string {
  return `const { output } = await tools.exec_command({cmd: "${command}"}); text(output);`;
}

function asArgument(code: string): string {
  return JSON.stringify({ input: code });
}

describe.skipIf(!AGENTS_ENABLED)(`Codex${WHY_SKIPPED}`, () => {
  let script: string;
  let stack: TextStack;
  let agent: Codex;
  const start = async (model: string, provider: Provider) => {
    agent = await codex({ script, origin: stack.origin, model, provider });
  };

  beforeAll(async () => {
    script = await installAgent('codex');
    const models = GPT_NAMES.map(({ model, upstream }) => ({ id: model, routes: [{ upstream, model: upstream }] }));
    const claude = { id: CLAUDE, routes: [{ upstream: 'sandbox-messages', model: CLAUDE }] };
    stack = await startTextStack({ models: [...models, claude] });
  }, INSTALL_MS);
  afterEach(() => agent.workspace.close());
  afterAll(() => stack.close());

  describe.each(PROVIDERS)('with the %s provider', (provider) => {
    describe.each(UPSTREAMS)('on $model', ({ model }) => {
      it('runs a command and quotes its output', async () => {
        await start(model, provider);
        const response = await agent.prompt(
          'Please [tool:exec_command {"cmd":"echo quiet water > note.txt; cat note.txt"}]',
        );
        expect(response).toMatchObject({ exitCode: 0, errors: [] });
        expect(response.text).toMatch(/The tool exec_command answered: [^]*Output:\nquiet water\n/);
        expect(await agent.workspace.read('note.txt')).toBe('quiet water\n');
      });

      it('reasons, calls tools in parallel, one of a group, reads an image, and reports which command failed', async () => {
        await start(model, provider);
        const response = await agent.prompt(
          [
            '[think] Please',
            '[tool:exec_command {"cmd":"echo first > a.txt; cat a.txt"}]',
            '[tool:exec_command {"cmd":"echo second > b.txt; cat b.txt"}]',
            '[tool:exec_command {"cmd":"echo oops >&2; exit 3"}]',
            `[tool:view_image {"path":"${IMAGE}"}]`,
            '[tool:multi_agent_v1__close_agent {"target":"unknown"}]',
          ].join(' '),
        );
        expect(response).toMatchObject({ exitCode: 0, errors: [] });
        expect(response.commands.map(({ output, exitCode }) => ({ output, exitCode }))).toEqual([
          { output: 'first\n', exitCode: 0 },
          { output: 'oops\n', exitCode: 3 },
          { output: 'second\n', exitCode: 0 },
        ]);
        expect(response.text).toContain('Output:\nfirst\n');
        expect(response.text).toContain('Output:\nsecond\n');
        expect(response.text).toMatch(/exited with code 3\n[^]*Output:\noops\n/);
        expect(response.text).toMatch(/close_agent answered: invalid agent id unknown/);
        expect(response.text).toMatch(/The tool view_image answered: [^]*I see 1 image\./);
        expect(await agent.workspace.read('b.txt')).toBe('second\n');
      });

      it('continues a conversation', async () => {
        await start(model, provider);
        await agent.prompt('[think] Please [tool:exec_command {"cmd":"echo first"}]');
        const response = await agent.prompt('[think] Now [tool:exec_command {"cmd":"echo second"}]', { resume: true });
        expect(response).toMatchObject({ exitCode: 0, errors: [] });
        expect(response.text).toMatch(/^The tool exec_command answered: [^]*Output:\nsecond\n/);
      });

      it('reports once that a conversation is too long', async () => {
        await start(model, provider);
        const word = uniqueWord();
        const response = await agent.prompt(`[context] ${word}`);
        expect(response.exitCode).toBe(1);
        expect(response.errors).toEqual([expect.stringContaining('ran out of room in the model')]);
        expect(await stack.seen(word)).toHaveLength(1);
      });

      it('retries after a 429', async () => {
        await start(model, provider);
        const word = uniqueWord();
        expect(await agent.prompt(`[429] ${word}`)).toMatchObject({ exitCode: 0 });
        expect((await stack.seen(word)).map(({ status }) => status)).toEqual([429, 429, 200]);
      });
    });

    describe.each(GPT_NAMES)('under the name $model, served by $upstream', ({ model, script: encode }) => {
      it('runs a script that runs a command, and continues the conversation', async () => {
        await start(model, provider);
        const note = scriptThatRuns('echo quiet water > note.txt; cat note.txt');
        const response = await agent.prompt(`Please [tool:exec ${encode(note)}]`);
        expect(response).toMatchObject({ exitCode: 0, errors: [] });
        expect(response.text).toMatch(/The tool exec answered: [^]*quiet water\n/);
        expect(await agent.workspace.read('note.txt')).toBe('quiet water\n');
        const next = scriptThatRuns('echo deep water');
        const more = await agent.prompt(`And [tool:exec ${encode(next)}]`, { resume: true });
        expect(more.text).toMatch(/The tool exec answered: [^]*deep water\n/);
      });
    });
  });

  it('continues a conversation across upstreams, with reasoning and images', async () => {
    await start('sandbox-chat', 'custom');
    for (const [turn, { model }] of [...UPSTREAMS, ...UPSTREAMS].entries()) {
      const prompt = `[think] [tool:exec_command {"cmd":"echo from ${model}"}] [tool:view_image {"path":"${IMAGE}"}]`;
      const response = await agent.prompt(prompt, { resume: turn > 0, flags: ['-m', model] });
      expect(response).toMatchObject({ exitCode: 0, errors: [] });
      expect(response.text).toContain(`Output:\nfrom ${model}\n`);
      expect(response.text).toContain('I see 1 image.');
    }
  });

  it.each(WITH_FORMATS)('responds according to a schema and reads the prompt’s image, on $model', async ({ model }) => {
    await start(model, 'custom');
    const schema = {
      type: 'object',
      properties: { colour: { type: 'string', enum: ['teal'] } },
      required: ['colour'],
      additionalProperties: false,
    };
    await agent.workspace.write('schema.json', JSON.stringify(schema));
    const response = await agent.prompt('Which colour', { flags: ['--output-schema', 'schema.json'] });
    expect(response).toMatchObject({ exitCode: 0, errors: [], text: '{"colour":"teal"}' });
    const seen = await agent.prompt('What is this', { resume: true, flags: ['-i', IMAGE] });
    expect(seen.text).toContain('I see 1 image.');
  });

  it.each(UPSTREAMS)('reports a response that is cut off, on $model', async ({ model }) => {
    await start(model, 'custom');
    const flags = ['-c', 'model_providers.sluice.stream_max_retries=0'];
    const response = await agent.prompt('[cut] and gone', { flags });
    expect(response).toMatchObject({ exitCode: 1, errors: [expect.stringContaining('before it was complete')] });
  });

  it('tries a WebSocket at most once, then uses HTTP', async () => {
    const before = await refusedSockets(stack.origin);
    await start('sandbox-chat', 'built-in');
    expect(await agent.prompt('hello')).toMatchObject({ exitCode: 0, errors: [], text: 'You said: hello' });
    expect(await refusedSockets(stack.origin)).toBe(before + 1);
  });
});

/** Returns the number of WebSocket handshakes that the gateway has rejected with 426. */
async function refusedSockets(origin: string): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const line = /^sluice_http_requests_total\{method="GET",route="\/v1\/responses",status="426"\} (\d+)$/m;
  return Number(line.exec(metrics)?.[1] ?? 0);
}
