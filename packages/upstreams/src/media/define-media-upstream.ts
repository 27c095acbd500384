import type { ImageRequest, Review, VideoRequest } from '@sluice/canonical';
import type { UpstreamAccount, UpstreamKind } from '../contract/upstream.ts';
import { createMediaUpstream } from './create-media-upstream.ts';
import type { MediaWire } from './media-wire.ts';
import type { SignCall } from './vendor-caller.ts';

interface MediaUpstream<V extends Review, I extends Review> {
  kind: string;
  signer: (account: UpstreamAccount) => SignCall;
  baseUrl?: (url: string) => string;
  video: MediaWire<VideoRequest, V>;
  image?: MediaWire<ImageRequest, I>;
}

export function defineMediaUpstream<V extends Review, I extends Review = Review>({
  kind,
  signer,
  baseUrl = (url) => url,
  video,
  image,
}: MediaUpstream<V, I>): UpstreamKind {
  return {
    kind,
    build: (configured, context) => {
      const sign = signer(configured);
      const account = { ...configured, base_url: baseUrl(configured.base_url) };
      return {
        video: createMediaUpstream(account, context, sign, video),
        ...(image && { image: createMediaUpstream(account, context, sign, image) }),
      };
    },
  };
}
