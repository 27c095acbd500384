import { expect, it } from 'vitest';
import { ContentSchema } from './content-schema.ts';

const withRedirect = (redirect_ms: number) => ContentSchema.safeParse({ s3: { bucket: 'clips', redirect_ms } });

it('limits signed URLs to seven days, as S3 does', () => {
  expect(withRedirect(604_800_000).success).toBe(true);
  expect(withRedirect(604_800_001).error?.issues[0]).toMatchObject({
    path: ['s3', 'redirect_ms'],
    message: expect.stringContaining('seven days'),
  });
});
