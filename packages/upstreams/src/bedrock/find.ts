import type { FindOutcome, MediaSubmission, VideoRequest } from '@sluice/canonical';
import { findInList } from '../media/find-in-list.ts';
import { Id, lenient, list, Text } from '../media/lenient.ts';
import type { CallVendor } from '../media/media-wire.ts';

const PAGE_SIZE = '100';

const WireList = lenient({
  asyncInvokeSummaries: list(lenient({ invocationArn: Id, clientRequestToken: Text, submitTime: Text })),
  nextToken: Text,
});

/**
 * Searches `ListAsyncInvokes` for the invocation with the attempt's token. If it is missing, this proves nothing, because
 * AWS does not document how soon the list contains it.
 */
export function findInvocation(
  { reference, submittedAt }: MediaSubmission<VideoRequest>,
  send: CallVendor,
): Promise<FindOutcome> {
  return findInList({
    send,
    submittedAt,
    certain: true,
    call: (_page, nextToken) => {
      const order = { sortBy: 'SubmissionTime', sortOrder: 'Descending', maxResults: PAGE_SIZE };
      const query = new URLSearchParams({ ...order, ...(nextToken !== undefined && { nextToken }) });
      return { method: 'GET', path: `/async-invoke?${query.toString()}` };
    },
    read: (body) => {
      const { asyncInvokeSummaries: summaries, nextToken: next } = WireList.parse(body) ?? {};
      const jobs = summaries?.map((one) => {
        const createdAt = Date.parse(one?.submitTime ?? '');
        const token = one?.clientRequestToken;
        return { id: one?.invocationArn, token, createdAt: Number.isNaN(createdAt) ? undefined : createdAt };
      });
      return jobs && { jobs, hasMore: next !== undefined, next };
    },
    isMatch: ({ token }) => token === reference,
  });
}
