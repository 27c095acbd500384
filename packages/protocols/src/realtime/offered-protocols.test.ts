import { describe, expect, it } from 'vitest';
import { readOfferedProtocols } from './offered-protocols.ts';

describe('readOfferedProtocols', () => {
  it.each([
    [undefined, { offersRealtime: false }],
    ['', { offersRealtime: false }],
    ['realtime', { offersRealtime: true }],
    ['realtime, openai-insecure-api-key.sk-1', { offersRealtime: true, key: 'sk-1' }],
    ['openai-insecure-api-key.sk.with.dots', { offersRealtime: false, key: 'sk.with.dots' }],
    ['openai-insecure-api-key.,realtime', { offersRealtime: true }],
    ['openai-insecure-api-key.one,openai-insecure-api-key.two', { offersRealtime: false, key: 'one' }],
    ['realtime,openai-beta.realtime-v1', { offersRealtime: true, beta: 'realtime=v1' }],
    ['realtime,openai-organization.o,openai-project.p', { offersRealtime: true }],
    ['realtime\u00a0, x', { offersRealtime: false }],
    ['x ,\t realtime ', { offersRealtime: true }],
    ['REALTIME,openai-beta.,realtime2', { offersRealtime: false }],
  ])('reads %j', (header, offered) => {
    expect(readOfferedProtocols(header)).toEqual(offered);
  });
});
