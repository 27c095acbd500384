import { expect, it } from 'vitest';
import { DownloadError } from './download-error.ts';

it('the message holds nothing of the URL; its origin alone is kept for logs', () => {
  const error = new DownloadError('status', { url: new URL('https://cdn.example/a/b?signature=s'), status: 403 });
  expect(error.message).toBe('The server of the file refused it (HTTP 403)');
  expect(error.origin).toBe('https://cdn.example');
  expect(JSON.stringify(Object.entries(error))).not.toContain('signature');
});
