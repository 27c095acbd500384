import { expect, it } from 'vitest';
import { DownloadError } from './download-error.ts';

it('does not reveal the URL', () => {
  const error = new DownloadError('status', { status: 403, cause: new Error('https://cdn.example/a?signature=s') });
  expect(error.message).toBe('The server of the file refused the request (HTTP 403).');
  expect(JSON.stringify(Object.entries(error))).not.toContain('cdn');
});
