import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ERROR_STATUS, type ErrorCode, GatewayError, TASK_ERROR_CODES } from '@sluice/canonical';
import { ENDPOINTS, videosProtocol } from '@sluice/protocols';
import { describe, expect, it } from 'vitest';

const docs = await readFile(path.resolve(import.meta.dirname, '../../../docs/use/errors.md'), 'utf8');
const rows = docs
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const codes = Object.keys(ERROR_STATUS) as ErrorCode[]; // The cast is needed because `Object.keys` returns `string[]`.

describe('docs/use/errors.md', () => {
  it('lists every code once with its status, and no other', () => {
    expect(rows.map(([, code, status]) => `${code} ${status}`).toSorted()).toEqual(
      codes.map((code) => `\`${code}\` ${ERROR_STATUS[code]}`).toSorted(),
    );
  });

  it('documents for each code whether a retry helps, as `x-should-retry` does', () => {
    for (const [, code = '', , , retry] of rows) {
      // The cast is safe because the value was checked above.
      const { retryable } = new GatewayError(code.replaceAll('`', '') as ErrorCode, '');
      expect(retry, code).toBe(retryable ? 'yes' : 'no');
    }
  });

  it('documents the meaning and the remedy of each code', () => {
    for (const cells of rows) {
      expect(cells).toHaveLength(7);
      expect(cells[3]).toMatch(/\.$/);
      expect(cells[5]).toMatch(/\.$/);
    }
  });

  it('lists the codes that a failed video can have', () => {
    const section = docs.slice(docs.indexOf('## Failed tasks'), docs.indexOf('## Before a request'));
    const documented = [...section.matchAll(/`([a-z]+_[a-z_]+|canceled)`/g)].map(([, code]) => code);
    expect(new Set(documented)).toEqual(new Set(TASK_ERROR_CODES));
  });

  it('documents the error shape of each protocol and the position of its code', () => {
    const shapes = docs
      .slice(docs.indexOf('| Protocol |'), docs.indexOf('```json'))
      .split('\n')
      .map((line) => line.split('|').map((cell) => cell.trim()))
      .filter(([, , shape = '']) => shape.startsWith('`{'));
    for (const { protocol } of ENDPOINTS) {
      const name = protocol.name.replaceAll('-', ' ');
      const own = shapes.filter(([, names = '']) => names.replaceAll('-', ' ').split(', ').includes(name));
      expect(own, name).toHaveLength(1);
      const [, , shape = '', where = ''] = own[0] ?? [];
      // The cast is safe because every encoder returns an object.
      const sent = protocol.encodeError(new GatewayError('rate_limited', 'Later.'), 'req_1') as Record<string, unknown>;
      const json = /`\{(.*)\}`/.exec(shape)?.[1]?.replaceAll(/\{.*\}|: "\w+"/g, '') ?? '';
      const members = [...json.matchAll(/"(\w+)"/g)].map(([, member]) => member);
      expect(new Set(members), name).toEqual(new Set(Object.keys(sent)));
      const isResponsesCode = JSON.stringify(sent).includes('rate_limit_exceeded');
      expect(where.includes('rate_limit_exceeded'), name).toBe(isResponsesCode);
    }
  });

  it('shows the shape that is sent', () => {
    const [, shown = ''] = /```json\n(.+)\n```/.exec(docs) ?? [];
    const message = 'size must be WIDTHxHEIGHT in pixels, e.g. 1280x720.';
    const error = new GatewayError('invalid_request', message, { param: 'size' });
    expect(JSON.parse(shown)).toEqual(videosProtocol.encodeError(error));
  });
});
