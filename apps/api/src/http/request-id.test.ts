import { describe, expect, it } from 'vitest';
import { newRequestId, requestIdHeaders, requestIdOf } from './request-id.ts';

describe('requestIdOf', () => {
  it.each(['abc', 'req_1', '0af7651916cd43dd8448eb211c80319c', 'a/b:c.d+e=', 'x'.repeat(128)])('accepts %s', (id) => {
    expect(requestIdOf({ 'x-request-id': id })).toBe(id);
  });

  it.each([undefined, '', 'a b', 'a"b', 'ä', '<script>', 'x'.repeat(129)])('creates a new id instead of %j', (id) => {
    expect(requestIdOf({ 'x-request-id': id })).toMatch(/^req_[0-9a-f]{32}$/);
  });
});

it('newRequestId returns a different id each time', () => {
  expect(newRequestId()).not.toBe(newRequestId());
});

it('requestIdHeaders sends the id under both names', () => {
  expect(requestIdHeaders('a')).toEqual({ 'x-request-id': 'a', 'request-id': 'a' });
});
