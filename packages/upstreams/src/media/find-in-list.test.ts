import { describe, expect, it } from 'vitest';
import { findInList, type ListedJob } from './find-in-list.ts';

const AT = 1_767_323_045_500;

/** Searches pages with up to two jobs each. A number represents an error response with that status. */
async function walked(pages: (ListedJob[] | number)[], more: { certain?: boolean } = {}) {
  const calls: string[] = [];
  const outcome = await findInList<ListedJob>({
    send: ({ path }) => {
      calls.push(path);
      const page = pages[Number(path) - 1] ?? [];
      const status = typeof page === 'number' ? page : 200;
      return Promise.resolve({ status, headers: {}, body: page });
    },
    call: (page) => ({ method: 'GET', path: String(page) }),
    // The cast is safe because the body is one of the pages above.
    read: (body) => (Array.isArray(body) ? { jobs: body as ListedJob[], hasMore: body.length === 2 } : undefined),
    isMatch: ({ id }) => id?.startsWith('fit') === true,
    submittedAt: AT,
    windowMs: 60_000,
    ...more,
  });
  return { outcome, pages: calls.length };
}

const job = (id: string | undefined, after = 0): ListedJob => ({ id, createdAt: AT + after });
const jobs = (...ids: string[]) => ({ kind: 'candidates', jobs: ids.map((upstreamId) => ({ upstreamId })) });

describe('candidate', () => {
  it('matches, has an id, and was created around the submission', async () => {
    for (const [one, expected] of [
      [job('fit'), ['fit']],
      [job('fit', -30_000), ['fit']],
      [job('fit', 60_000), ['fit']],
      [job('fit', -30_001), []],
      [job('fit', 60_001), []],
      [{ id: 'fit' }, []],
      [job(undefined), []],
      [job('other'), []],
    ] satisfies [ListedJob, string[]][]) {
      expect((await walked([[one]])).outcome).toEqual(jobs(...expected));
    }
  });

  it('is certain if the search declares it', async () => {
    expect((await walked([[job('fit')]], { certain: true })).outcome).toEqual({ ...jobs('fit'), certain: true });
  });

  it('is counted once if it moves to the next page in the meantime', async () => {
    expect((await walked([[job('a'), job('fit')], [job('fit')]])).outcome).toEqual(jobs('fit'));
  });
});

it('may have any time without a window', async () => {
  const outcome = await findInList<ListedJob>({
    send: () => Promise.resolve({ status: 200, headers: {}, body: {} }),
    call: () => ({ method: 'GET', path: '/' }),
    read: () => ({ jobs: [{ id: 'fit' }, job('fit2', 900_000), job('other')], hasMore: false }),
    isMatch: ({ id }) => id?.startsWith('fit') === true,
    submittedAt: AT,
  });
  expect(outcome).toEqual(jobs('fit', 'fit2'));
});

describe('list', () => {
  it('is read until a complete page is older than the submission', async () => {
    const old = -40_000;
    const pages = [
      [job('a'), job('b', old)],
      [job('fit'), job('c', old)],
      [job('d', old), job('e', old)],
      [job('fit2')],
    ];
    expect(await walked(pages)).toEqual({ outcome: jobs('fit'), pages: 3 });
  });

  it('is read to its end', async () => {
    expect(await walked([[job('a'), job('b')], [job('fit')], [job('fit2')]])).toEqual({
      outcome: jobs('fit'),
      pages: 2,
    });
  });

  it('that is empty does not prove that the job does not exist', async () => {
    expect((await walked([[]])).outcome).toEqual(jobs());
  });

  it('that repeats itself proves nothing', async () => {
    expect(
      await walked([
        [job('fit'), job('b')],
        [job('b'), job('fit')],
      ]),
    ).toMatchObject({
      outcome: { kind: 'unclear' },
      pages: 2,
    });
  });

  it('that never ends proves nothing', async () => {
    const pages = Array.from({ length: 30 }, (_, page) => [job(`fit${page}`), job(`b${page}`)]);
    expect(await walked(pages)).toMatchObject({ outcome: { kind: 'unclear' }, pages: 20 });
  });

  it('that cannot be read proves nothing', async () => {
    expect((await walked([500])).outcome).toMatchObject({ kind: 'unclear' });
    expect((await walked([[job('fit'), job('b')], 401])).outcome).toMatchObject({ kind: 'unclear' });
  });
});
