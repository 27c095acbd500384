import type { StreamEvent, Tool, ToolCallBlock } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createToolRestorer, restoreTools } from './restore-tools.ts';

const tools: Tool[] = [
  { kind: 'custom', name: 'exec' },
  { kind: 'function', name: 'agents__close', clientName: { name: 'close', namespace: 'agents' } },
];
const call = (name: string, text: string): ToolCallBlock => ({
  type: 'tool-call',
  callId: 'c1',
  name,
  kind: 'function',
  arguments: text,
});

describe('restoreTools', () => {
  it('restores a custom tool’s text', () => {
    const generation = {
      id: '1',
      model: 'm',
      choices: [{ content: [call('exec', '{"input":"ls"}')], finish: 'tool_calls' as const }],
    };
    const [choice] = restoreTools(generation, tools).choices;
    expect(choice?.content).toEqual([{ ...call('exec', 'ls'), kind: 'custom' }]);
  });

  it('finds a tool by its abbreviated name', () => {
    const generation = {
      id: '1',
      model: 'm',
      choices: [{ content: [call('agents.close', '{}')], finish: 'tool_calls' as const }],
    };
    expect(restoreTools(generation, tools).choices[0]?.content).toEqual([call('agents__close', '{}')]);
  });
});

function run(events: StreamEvent[]): StreamEvent[] {
  const restore = createToolRestorer(tools);
  return events.flatMap((event) => restore?.(event) ?? [event]);
}

describe('createToolRestorer', () => {
  it('buffers a custom tool’s call until its text is complete', () => {
    const events = run([
      { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'c1', name: 'exec', kind: 'function' } },
      { type: 'delta', choice: 0, text: '{"inp' },
      { type: 'delta', choice: 0, text: 'ut":"ls"}' },
      { type: 'block-end', choice: 0, block: call('exec', '{"input":"ls"}') },
      { type: 'finish', choice: 0, finish: 'tool_calls' },
    ]);
    expect(events).toEqual([
      { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'c1', name: 'exec', kind: 'custom' } },
      { type: 'delta', choice: 0, text: 'ls' },
      { type: 'block-end', choice: 0, block: { ...call('exec', 'ls'), kind: 'custom' } },
      { type: 'finish', choice: 0, finish: 'tool_calls' },
    ]);
  });

  it('forwards all other events unchanged', () => {
    const events: StreamEvent[] = [
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'delta', choice: 0, text: 'hi' },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'hi' } },
    ];
    expect(run(events)).toEqual(events);
    expect(createToolRestorer([{ kind: 'function', name: 'plain' }])).toBeUndefined();
  });
});
