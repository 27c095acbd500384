import type { GenerationRequest } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { implySingleCall, requestsSingleCall } from './single-call.ts';

const request: GenerationRequest = {
  protocol: 'chat-completions',
  model: 'm',
  stream: false,
  messages: [],
  tools: [],
};

it('limits calls to one at a time without reporting a loss', () => {
  const implied = implySingleCall(request);
  expect(implied.parallelToolCalls).toBe(false);
  expect(requestsSingleCall(implied)).toBe(false);
  expect(requestsSingleCall({ ...implied, model: 'other' })).toBe(false);
});

it('recognizes a client that requests one call at a time', () => {
  expect(requestsSingleCall({ ...request, parallelToolCalls: false })).toBe(true);
  expect(requestsSingleCall({ ...request, parallelToolCalls: true })).toBe(false);
  expect(requestsSingleCall(request)).toBe(false);
});
