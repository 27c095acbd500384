import { expect, it } from 'vitest';
import { messagesHeaders } from './messages-headers.ts';

it('accepts a date as version, under either name', () => {
  expect(messagesHeaders({ 'anthropic-version': '2026-10-21', 'messages-version': '2024-01-01' })).toEqual({
    'anthropic-version': '2026-10-21',
  });
  expect(messagesHeaders({ 'messages-version': '2024-01-01' })).toEqual({ 'anthropic-version': '2024-01-01' });
});

it.each(['', 'latest', '2023-06-01\r\nx-api-key: k', '2023-06-01, 2023-06-01'])(
  'accepts no other value: %j',
  (version) => {
    expect(messagesHeaders({ 'anthropic-version': version, 'messages-version': undefined })).toEqual({
      'anthropic-version': '2023-06-01',
    });
  },
);

it('passes betas on unchanged, joins repeated headers, and drops unsafe ones', () => {
  expect(messagesHeaders({ 'anthropic-beta': 'a-2026,b-1' })['anthropic-beta']).toBe('a-2026,b-1');
  expect(messagesHeaders({ 'anthropic-beta': ['a', 'b'] })['anthropic-beta']).toBe('a,b');
  expect(messagesHeaders({ 'anthropic-beta': 'a\r\nb: c' })).not.toHaveProperty('anthropic-beta');
  expect(messagesHeaders({ 'anthropic-beta': '' })).not.toHaveProperty('anthropic-beta');
});
