import type { ImageRequest, VideoRequest } from '@sluice/canonical';
import { canceledOr } from '../media/cancel-queued.ts';
import type { MediaWire } from '../media/media-wire.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, said, decisionOf } from './errors.ts';
import { pollCall, readPoll } from './poll.ts';
import { readDashscope } from './wire.ts';

/**
 * Cancels a task. Alibaba docs: only PENDING tasks can be canceled, otherwise the call fails with
 * `UnsupportedOperation`. A poll then returns the state.
 */
export function cancellation(tools: WireTools): MediaWire<ImageRequest | VideoRequest>['cancellation'] {
  return {
    call: (job) => ({ method: 'POST', path: `${pollCall(job).path}/cancel` }),
    read: async ({ status, body }, job, ask) => {
      const read = readDashscope(body);
      if (isGood(status, read)) return { kind: 'canceled' };
      if (decisionOf(status, read.code) !== 'invalid') {
        return { kind: 'unclear', message: `The upstream did not confirm the cancellation (${said(status, read)})` };
      }
      return canceledOr(readPoll(await ask(pollCall(job)), job, tools));
    },
  };
}
