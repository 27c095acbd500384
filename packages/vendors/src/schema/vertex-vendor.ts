import { allModelsOf, type WellKnownVendor } from './manifest.ts';

/** Creates a publisher's models at Vertex AI, with the variables of Google's libraries. The location must be a region. */
export function vertexVendor(name: string, kind: string, publisher: 'google' | 'anthropic'): WellKnownVendor {
  const location = '${GOOGLE_CLOUD_LOCATION}';
  const place = `projects/\${GOOGLE_CLOUD_PROJECT}/locations/${location}/publishers/${publisher}`;
  const base_url = `https://${location}-aiplatform.googleapis.com/v1/${place}`;
  const identity = { type: 'google-credentials', credentials_file: '${GOOGLE_APPLICATION_CREDENTIALS}' };
  return { upstreams: { [name]: { kind, base_url, identity } }, models: [allModelsOf(name)] };
}
