import { createMediaUpstream } from '../media/create-media-upstream.ts';
import { vendorClock } from '../media/vendor-clock.ts';
import { wireTools } from '../media/wire-tools.ts';
import { defineUpstream } from '../upstream.ts';
import { refusesTokenTime } from './errors.ts';
import { klingImage } from './image.ts';
import { signer } from './sign.ts';
import { klingVideo } from './video.ts';

/** The kind `provider-a`: Kling, at the vendor's own hosts or at resellers that speak its wire. */
export const providerA = defineUpstream({
  kind: 'provider-a',
  build: (account, context) => {
    // The vendor's paths bring their version along.
    const rooted = { ...account, base_url: account.base_url.replace(/(\/v1)?\/*$/, '') };
    const clock = vendorClock(context.now);
    const sign = signer(account, clock);
    const tools = wireTools(rooted, context);
    const timed = {
      refusesSignatureTime: (answer: Parameters<typeof refusesTokenTime>[0]) => {
        if (account.api_key !== undefined || !refusesTokenTime(answer)) return false;
        clock.learn(answer);
        return true;
      },
    };
    return {
      video: createMediaUpstream(rooted, context, sign, { ...klingVideo(tools), ...timed }),
      image: createMediaUpstream(rooted, context, sign, { ...klingImage(tools), ...timed }),
    };
  },
});
