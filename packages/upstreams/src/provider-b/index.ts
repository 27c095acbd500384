import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { signsAgain, vendorClock } from '../media/vendor-clock.ts';
import { defineUpstream } from '../contract/upstream.ts';
import { refusesSignatureTime } from './errors.ts';
import { jimengImage } from './image.ts';
import { signer } from './sign.ts';
import { jimengVideo } from './video.ts';

export const providerB = defineUpstream({
  kind: 'provider-b',
  build: (account, context) => {
    const clock = vendorClock(context.now);
    const sign = signer(account, clock);
    const timed = signsAgain(clock, refusesSignatureTime);
    return {
      video: createMediaUpstream(account, context, sign, { ...jimengVideo, ...timed }),
      image: createMediaUpstream(account, context, sign, { ...jimengImage, ...timed }),
    };
  },
});
