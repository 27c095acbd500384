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

it('applies a derived limit of one call at a time, marked as not set by the client', () => {
  const implied = implySingleCall(request);
  expect(implied.parallelToolCalls).toBe(false);
  expect(saysSingleCall(implied)).toBe(false);
  expect(saysSingleCall({ ...implied, model: 'other' })).toBe(false);
});

it('marks a limit that the client set', () => {
  expect(saysSingleCall({ ...request, parallelToolCalls: false })).toBe(true);
  expect(saysSingleCall({ ...request, parallelToolCalls: true })).toBe(false);
  expect(saysSingleCall(request)).toBe(false);
});
