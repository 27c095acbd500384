import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { signsAgain, vendorClock } from '../media/vendor-clock.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { refusesTokenTime } from './errors.ts';
import { klingImage } from './image.ts';
import { signer } from './sign.ts';
import { klingVideo } from './video.ts';

export const providerA = defineUpstream({
  kind: 'provider-a',
  build: (account, context) => {
    const rooted = { ...account, base_url: account.base_url.replace(/(\/v1)?\/*$/, '') };
    const clock = vendorClock(context.now);
    const sign = signer(account, clock);
    // Only the tokens of a key pair expire, so only they are signed again.
    const timed = account.api_key === undefined ? signsAgain(clock, refusesTokenTime) : {};
    return {
      video: createMediaUpstream(rooted, context, sign, { ...klingVideo, ...timed }),
      image: createMediaUpstream(rooted, context, sign, { ...klingImage, ...timed }),
    };
  },
});
