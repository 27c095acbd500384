import type { TextCapability, TextProtocolName, TextQuirks } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { createTextTargets, type TextTargetsInput } from './targets.ts';

function capability(protocol: TextProtocolName, quirks: TextQuirks = {}): TextCapability {
  return {
    protocol,
    account: `account-${protocol}`,
    quirks,
    completions: false,
    open: () => Promise.reject(new Error('not called')),
    scrub: (text) => text,
  };
}

const UPSTREAMS: TextTargetsInput['upstreams'] = {
  'acme-chat': { base_url: 'https://acme.test/v1', api_key: 'k1' },
  'acme-messages': { base_url: 'https://acme.test/anthropic', api_key: 'k1' },
  'acme-second': { base_url: 'https://acme.test/anthropic', api_key: 'k2' },
  'local-1': { base_url: 'http://127.0.0.1:1/one' },
  'local-2': { base_url: 'http://127.0.0.1:1/two' },
  video: { base_url: 'https://video.test', api_key: 'k3' },
};
const ACCOUNTS: TextTargetsInput['accounts'] = new Map<string, { text?: TextCapability }>([
  ['acme-chat', { text: capability('chat-completions', { top_k: true, sampling: true }) }],
  ['acme-messages', { text: capability('messages') }],
  ['acme-second', { text: capability('messages') }],
  ['local-1', { text: capability('chat-completions') }],
  ['local-2', { text: capability('messages') }],
  ['video', {}],
]);

function targets(clientProtocol: TextProtocolName, ...routes: TextTargetsInput['resolvedModel']['targets']) {
  const targetsOf = createTextTargets({ accounts: ACCOUNTS, upstreams: UPSTREAMS });
  const resolvedModel = { targets: routes };
  expect(targetsOf(resolvedModel, clientProtocol)).toBe(targetsOf(resolvedModel, clientProtocol));
  return targetsOf(resolvedModel, clientProtocol);
}

function order(clientProtocol: TextProtocolName, ...upstreams: string[]): string[] {
  const routes = upstreams.map((upstream) => ({ upstream, model: 'm' }));
  return targets(clientProtocol, ...routes).map(({ target }) => target.upstream);
}

describe('createTextTargets', () => {
  it('returns the target with its upstream and route', () => {
    const [first] = targets('responses', { upstream: 'acme-chat', model: 'm-1', quirks: { sampling: false } });
    expect(first?.target).toEqual({
      upstream: 'acme-chat',
      account: 'account-chat-completions',
      protocol: 'chat-completions',
      model: 'm-1',
      quirks: { top_k: true, sampling: false },
    });
    expect(first?.capability).toBe(ACCOUNTS.get('acme-chat')?.text);
  });

  it("prefers a vendor's route in the client’s protocol", () => {
    expect(order('messages', 'acme-chat', 'acme-messages')).toEqual(['acme-messages', 'acme-chat']);
    expect(order('chat-completions', 'acme-chat', 'acme-messages')).toEqual(['acme-chat', 'acme-messages']);
    expect(order('responses', 'acme-chat', 'acme-messages')).toEqual(['acme-chat', 'acme-messages']);
  });

  it('keeps the configured order between vendors, accounts, and models', () => {
    expect(order('messages', 'acme-chat', 'acme-second')).toEqual(['acme-chat', 'acme-second']);
    expect(order('messages', 'acme-chat', 'local-1', 'acme-messages')).toEqual([
      'acme-chat',
      'local-1',
      'acme-messages',
    ]);
    const other = targets('messages', { upstream: 'acme-chat', model: 'm' }, { upstream: 'acme-messages', model: 'n' });
    expect(other.map(({ target }) => target.model)).toEqual(['m', 'n']);
  });

  it('treats two paths of one host without a key as two servers', () => {
    expect(order('messages', 'local-1', 'local-2')).toEqual(['local-1', 'local-2']);
  });

  it('sorts only within consecutive routes of one vendor', () => {
    expect(order('messages', 'local-1', 'acme-chat', 'acme-messages', 'local-2')).toEqual([
      'local-1',
      'acme-messages',
      'acme-chat',
      'local-2',
    ]);
  });

  it('skips unknown upstreams and those without text', () => {
    expect(order('messages', 'video', 'gone', 'local-1')).toEqual(['local-1']);
    expect(order('messages', 'acme-chat', 'video', 'acme-messages')).toEqual(['acme-messages', 'acme-chat']);
  });
});
