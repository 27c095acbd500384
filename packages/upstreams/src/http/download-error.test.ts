import { expect, it } from 'vitest';
import { DownloadError } from './download-error.ts';

it('an error tells nothing of the URL', () => {
  const error = new DownloadError('status', { status: 403, cause: new Error('https://cdn.example/a?signature=s') });
  expect(error.message).toBe('The server of the file refused it (HTTP 403)');
  expect(JSON.stringify(Object.entries(error))).not.toContain('cdn');
});
