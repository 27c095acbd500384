import { z } from 'zod';

export const requiredText = () => z.string().min(1);

/** Secrets are sent to this host, so it must have TLS, unless it is on the same machine. */
export const secureUrl = () =>
  z.url({ protocol: /^https?$/ }).refine((text) => {
    const url = URL.parse(text);
    // Text that is no URL has another error.
    return url?.protocol !== 'http:' || /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(url.hostname);
  }, 'must be an https:// URL, unless its host is on the same machine');
