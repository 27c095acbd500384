/** Returns the origin of Cloud Storage for a base URL of Google. A proxy in front of Vertex AI also serves Cloud Storage. */
export function storageOrigin(baseUrl: string): string {
  const { origin, hostname } = new URL(baseUrl);
  return hostname.endsWith('.googleapis.com') ? 'https://storage.googleapis.com' : origin;
}
