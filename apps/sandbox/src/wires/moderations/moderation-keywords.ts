/** Keywords per category. A subcategory (`category/sub`) also flags its parent category. */
export const MODERATION_KEYWORDS = {
  harassment: ['idiot', 'loser', 'stupid'],
  'harassment/threatening': ['threaten', 'hurt you'],
  hate: ['hate', 'inferior'],
  'hate/threatening': ['exterminate'],
  illicit: ['steal', 'hack', 'counterfeit'],
  'illicit/violent': ['bomb', 'grenade'],
  'self-harm': ['suicide', 'self-harm'],
  'self-harm/intent': ['end my life'],
  'self-harm/instructions': ['overdose'],
  sexual: ['nude', 'erotic'],
  'sexual/minors': ['underage'],
  violence: ['kill', 'murder', 'stab'],
  'violence/graphic': ['gore', 'dismember'],
} as const satisfies Record<string, readonly string[]>;

export type ModerationCategory = keyof typeof MODERATION_KEYWORDS;

// The cast restores the type of the keys, which `Object.keys` loses.
export const CATEGORIES = Object.keys(MODERATION_KEYWORDS) as ModerationCategory[];
