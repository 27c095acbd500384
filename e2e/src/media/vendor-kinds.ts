import { MANIFESTS, type VendorManifest } from '@sluice/vendors';
import { VENDOR_KEY } from '../stack.ts';

/** Access key of signed requests to the sandbox. */
export const ACCESS_KEY = 'ak-sandbox';

/** An upstream kind that the sandbox simulates. */
export interface VendorKind {
  kind: string;
  /** Path prefix of the vendor's API at the sandbox. */
  path: string;
  video: string;
  image?: string | undefined;
  credential: Record<string, string>;
  /** Whether the vendor's search can find a job whose submission response was lost. */
  lost: 'found' | 'unknown';
  lostImage: 'found' | 'unknown';
  /** Further fields of the upstream. Values with a leading slash are paths at the sandbox. */
  fields: Readonly<Record<string, string>>;
  /** Whether clients can set the number of images. */
  many?: boolean;
}

export type ImageKind = Omit<VendorKind, 'video'> & { image: string };

const KINDS = MANIFESTS.map((manifest: VendorManifest) => ({
  kind: manifest.kind,
  path: manifest.sandboxPath,
  video: manifest.examples?.video,
  image: manifest.examples?.image,
  credential: credentialOf(manifest),
  lost: manifest.findsSubmissions ? ('found' as const) : ('unknown' as const),
  lostImage: manifest.findsSubmissions === 'all' ? ('found' as const) : ('unknown' as const),
  fields: manifest.sandboxFields ?? {},
  many: manifest.manyImages ?? false,
}));

/** All upstream kinds that generate videos. */
export const VENDOR_KINDS: readonly VendorKind[] = KINDS.flatMap(({ video, ...kind }) =>
  video === undefined ? [] : [{ ...kind, video }],
);

/** Upstream kinds with a text protocol that also generate images, synchronously. */
export const IMAGE_KINDS: readonly ImageKind[] = KINDS.flatMap(({ video, image, ...kind }) =>
  video !== undefined || image === undefined ? [] : [{ ...kind, image }],
);

/** Returns a key pair if the kind accepts one, otherwise an API key. */
function credentialOf({ credentials }: VendorManifest): Record<string, string> {
  return credentials.some((fields) => fields.includes('access_key'))
    ? { access_key: ACCESS_KEY, secret_key: VENDOR_KEY }
    : { api_key: VENDOR_KEY };
}

function modelOf(media: 'video' | 'image', kind: string, model: string) {
  return { id: `${media}-${kind}`, routes: [{ upstream: kind, model }] };
}

/**
 * Configures all kinds, with the models `video-<kind>` and `image-<kind>`.
 * @param more additional upstream settings, keyed by kind
 */
export function mediaConfig(
  sandboxUrl: string,
  more: Record<string, Record<string, unknown>> = {},
): { upstreams: Record<string, unknown>; models: unknown[] } {
  const kinds = [...VENDOR_KINDS, ...IMAGE_KINDS];
  const upstreams = Object.fromEntries(
    kinds.map(({ kind, path, credential, fields }) => {
      const own = Object.entries(fields).map(([name, value]) => [name, value.replace(/^\//, `${sandboxUrl}/`)]);
      const base_url = `${sandboxUrl}${path}`;
      return [kind, { kind, base_url, ...credential, ...Object.fromEntries(own), ...more[kind] }];
    }),
  );
  const videos = VENDOR_KINDS.map(({ kind, video }) => modelOf('video', kind, video));
  const images = kinds.flatMap(({ kind, image }) => (image === undefined ? [] : modelOf('image', kind, image)));
  const editor = { id: 'edit-chat-completions', routes: [{ upstream: 'chat-completions', model: 'gpt-image-1' }] };
  const models = [...videos, ...images, editor];
  return { upstreams, models };
}
