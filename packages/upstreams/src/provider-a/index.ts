import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { signsAnew, vendorClock } from '../media/vendor-clock.ts';
import { wireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { refusesTokenTime } from './errors.ts';
import { klingImage } from './image.ts';
import { signer } from './sign.ts';
import { klingVideo } from './video.ts';

/** The kind `provider-a`: Kling, at the vendor's own hosts or at compatible resellers. */
export const providerA = defineUpstream({
  kind: 'provider-a',
  build: (account, context) => {
    // The vendor's paths include the version.
    const rooted = { ...account, base_url: account.base_url.replace(/(\/v1)?\/*$/, '') };
    const clock = vendorClock(context.now);
    const sign = signer(account, clock);
    const tools = wireTools(rooted, context);
    // An API key does not expire.
    const timed = account.api_key === undefined ? signsAnew(clock, refusesTokenTime) : {};
    return {
      video: createMediaUpstream(rooted, context, sign, { ...klingVideo(tools), ...timed }),
      image: createMediaUpstream(rooted, context, sign, { ...klingImage(tools), ...timed }),
    };
  },
});
