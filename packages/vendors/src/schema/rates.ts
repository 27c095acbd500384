/**
 * US dollars per million tokens. An omitted rate means that these tokens are part of `input`, `cacheWrite`, or `output`.
 */
export interface TokenRates {
  input: number;
  cachedInput: number;
  cacheWrite: number;
  cacheWrite1h?: number | undefined;
  audioInput?: number | undefined;
  imageInput?: number | undefined;
  output: number;
  audioOutput?: number | undefined;
  imageOutput?: number | undefined;
}

/** Rates for requests with more input tokens than `above`. */
export interface RateTier {
  above: number;
  tokens: TokenRates;
}

/** The properties of images or videos on which a rate can depend. */
export interface MediaTraits {
  /** The size of images, e.g. `1024x1024`. */
  size?: string | undefined;
  quality?: string | undefined;
  /** E.g. `720p`. */
  resolution?: string | undefined;
  audio?: boolean | undefined;
}

/** US dollars per image or second of video with these traits. */
export interface MediaRate extends MediaTraits {
  usd: number;
}

/** The prices of a model in US dollars. An omitted price is unknown. */
export interface Rates {
  tokens?: TokenRates | undefined;
  /** In ascending order of `above`. */
  tiers?: readonly RateTier[] | undefined;
  /** Factors of the token rates for service tiers. */
  serviceTiers?: Readonly<Record<string, number>> | undefined;
  /** Per million characters. */
  characters?: number | undefined;
  /** Per second of transcribed audio. */
  audioSecond?: number | undefined;
  /** The seconds that are billed at least. */
  minAudioSeconds?: number | undefined;
  search?: number | undefined;
  request?: number | undefined;
  /** The first rate that matches applies. */
  images?: readonly MediaRate[] | undefined;
  video?: readonly MediaRate[] | undefined;
  /** The traits that the vendor uses if a request does not name them. */
  defaults?: MediaTraits | undefined;
}
