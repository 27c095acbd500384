import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import type { Endpoint } from './contracts/endpoint.ts';
import { expandBrackets, type FormField } from './forms/expand-brackets.ts';
import type { MediaForm } from './contracts/media-protocol.ts';
import { ENDPOINTS } from './registry.ts';
import { videosEndpoints } from './videos/index.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/use/media.md'), 'utf8');
const commands = page.replaceAll('\\\n', '').match(/^curl .+$/gm) ?? [];
const calls = commands.filter((command) => / -[dF] /.test(command));
const reads = commands.filter((command) => !calls.includes(command));

function routeOf(call: string): Endpoint | undefined {
  const url = new URL(/\$SLUICE([^\s"]+)/.exec(call)?.[1] ?? '', 'http://gateway.test');
  return ENDPOINTS.find(
    ({ method, path, select }) =>
      method === 'POST' &&
      path === url.pathname &&
      (!select || url.searchParams.get(select.parameter) === select.value),
  );
}

function isFile([, value]: FormField): boolean {
  return String(value).startsWith('@');
}

function formOf(call: string): MediaForm {
  const [, json] = /-d '(.+)'$/.exec(call) ?? [];
  if (json !== undefined) return { fields: JSON.parse(json), files: [] };
  const parts = [...call.matchAll(/-F (?:"([^"]+)"|(\w+)="([^"]+)"|(\S+))/g)].map(
    ([, quoted, name, value, plain]) => quoted ?? plain ?? `${name}=${value}`,
  );
  const fields = parts.map((part): FormField => [part.split('=', 1)[0] ?? '', part.slice(part.indexOf('=') + 1)]);
  return {
    fields: expandBrackets(fields.filter((field) => !isFile(field))),
    files: fields
      .filter(isFile)
      .map(([field]) => ({ field, key: 'k', mediaType: 'image/png', filename: 'a.png', bytes: 1, sha256: 'x' })),
  };
}

describe('docs/use/media.md', () => {
  it.each(calls)('shows a valid call: %s', (call) => {
    const route = routeOf(call);
    expect(route, 'a route').toBeDefined();
    const form = formOf(call);
    if (route?.action === 'video.create') {
      expect(route.protocol.decodeVideo(form).model).toMatch(/^sandbox-video/);
    } else if (route?.action === 'group.create') {
      const models = route.protocol.decodeGroup(form.fields, 1_000).items.map(({ fields }) => fields['model']);
      expect(new Set(models)).toEqual(new Set(['sandbox-video', 'sandbox-video-a']));
    } else if (route?.action === 'image.create') {
      expect(route.protocol.decodeImage(form).model).toBe('sandbox-image');
    } else if (route?.action === 'video.retrieve') {
      expect(route.protocol.decodeTaskId?.(form.fields)).toMatch(/^video_/);
    } else {
      expect.unreachable();
    }
  });

  it.each(reads)('shows a valid path: %s', (read) => {
    const path = /\$SLUICE([^\s"?]+)/.exec(read)?.[1];
    const known = ENDPOINTS.filter(({ method }) => method === 'GET').map((endpoint) => endpoint.path);
    expect(known).toContain(path?.replace(/video_[^/]+/, ':task_id'));
  });

  it('shows every request that creates a task', () => {
    const shown = new Set(calls.map((call) => routeOf(call)?.path ?? call));
    const paths = ENDPOINTS.filter(({ action }) => /^(?:video|group|image)\.create$/.test(action));
    const expected = paths.map(({ path }) => path).filter((path) => !/provider-|jimeng$/.test(path));
    expect(shown).toEqual(new Set(expected));
  });

  it('shows the error format', () => {
    const shown = /^\{"error":.+$/m.exec(page)?.[0] ?? '';
    const { protocol } = videosEndpoints[0];
    let refused: unknown;
    try {
      protocol.decodeVideo({ fields: { prompt: 'a', n: 2 }, files: [] });
    } catch (error) {
      refused = error instanceof GatewayError ? protocol.encodeError(error) : error;
    }
    expect(JSON.parse(shown)).toEqual(refused);
  });
});
