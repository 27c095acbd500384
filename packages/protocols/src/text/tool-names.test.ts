import type { Tool } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clientToolName, findTool, flatToolName, toolName } from './tool-names.ts';

describe('flatToolName', () => {
  it('fits every vendor’s limits and keeps names distinct', () => {
    const name = fc.string({ minLength: 1, maxLength: 100 });
    fc.assert(
      fc.property(name, name, (one, other) => {
        expect(flatToolName(one)).toMatch(/^[\w-]{1,64}$/);
        if (one !== other) expect(flatToolName(one)).not.toBe(flatToolName(other));
      }),
    );
  });

  it('prepends the namespace, except `functions`', () => {
    expect(flatToolName('close', 'agents')).toBe('agents__close');
    expect(flatToolName('exec', 'functions')).toBe('exec');
  });
});

describe('findTool', () => {
  const tools: Tool[] = [
    { kind: 'function', ...toolName('close', 'agents') },
    { kind: 'function', ...toolName('close', 'files') },
    { kind: 'function', ...toolName('open', 'files') },
    { kind: 'function', ...toolName('plain') },
  ];

  it.each([
    ['agents__close', { name: 'close', namespace: 'agents' }],
    ['agents.close', { name: 'close', namespace: 'agents' }],
    ['open', { name: 'open', namespace: 'files' }],
    ['plain', { name: 'plain' }],
    ['unknown', { name: 'unknown' }],
  ])('resolves %s to the client’s %j', (called, expected) => {
    expect(clientToolName(tools, called)).toEqual(expected);
  });

  it('finds no tool for an ambiguous name', () => {
    expect(findTool(tools, 'close')).toBeUndefined();
  });
});
