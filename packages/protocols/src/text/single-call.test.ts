import type { GenerationRequest } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { implySingleCall, saysSingleCall } from './single-call.ts';

const request: GenerationRequest = {
  protocol: 'chat-completions',
  model: 'm',
  stream: false,
  messages: [],
  tools: [],
};

it('one call at a time that follows from something else is asked for, but not said by the client', () => {
  const implied = implySingleCall(request);
  expect(implied.parallelToolCalls).toBe(false);
  expect(saysSingleCall(implied)).toBe(false);
  expect(saysSingleCall({ ...implied, model: 'other' })).toBe(false);
});

it('a client that says so itself is told apart', () => {
  expect(saysSingleCall({ ...request, parallelToolCalls: false })).toBe(true);
  expect(saysSingleCall({ ...request, parallelToolCalls: true })).toBe(false);
  expect(saysSingleCall(request)).toBe(false);
});
