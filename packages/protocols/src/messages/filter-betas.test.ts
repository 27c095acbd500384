import type { Loss, TextQuirks } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { filterBetas } from './filter-betas.ts';

function filtered(header: string | string[] | undefined, betas?: TextQuirks['betas']) {
  const losses: Loss[] = [];
  const quirks = { ...(betas && { betas }) };
  const target = { upstream: 'u', account: 'a', protocol: 'messages', model: 'm', quirks } as const;
  const headers = { 'anthropic-beta': header, 'anthropic-version': '2023-06-01' };
  const { 'anthropic-beta': sent, ...others } = filterBetas(headers, target, (loss) => losses.push(loss));
  expect(others).toEqual({ 'anthropic-version': '2023-06-01' });
  expect(headers['anthropic-beta']).toBe(header);
  return [sent, losses];
}

it('passes on all values without a list', () => {
  expect(filtered('a, b')).toEqual(['a, b', []]);
  expect(filtered('a', 'all')).toEqual(['a', []]);
  expect(filtered(undefined, [])).toEqual([undefined, []]);
});

it('drops and reports values that are not in the list', () => {
  expect(filtered('a, b,c', ['b', 'c'])).toEqual(['b,c', [{ field: 'anthropic-beta[a]', how: 'dropped' }]]);
  expect(filtered(['a', 'b'], [])).toEqual([
    undefined,
    [
      { field: 'anthropic-beta[a]', how: 'dropped' },
      { field: 'anthropic-beta[b]', how: 'dropped' },
    ],
  ]);
});

it('replaces a value by the name that the upstream has for it', () => {
  const losses = [{ field: 'anthropic-beta[advanced-tool-use-2025-11-20]', how: 'replaced' }];
  const header = 'tool-search-tool-2025-10-19,advanced-tool-use-2025-11-20';
  expect(filtered(header, ['tool-search-tool-2025-10-19'])).toEqual(['tool-search-tool-2025-10-19', losses]);
});
