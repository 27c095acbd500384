const NAMES = `achernar achird algenib algieba alnilam aoede autonoe callirrhoe charon despina enceladus erinome fenrir
gacrux iapetus kore laomedeia leda orus puck pulcherrima rasalgethi sadachbia sadaltager schedar sulafat umbriel
vindemiatrix zephyr zubenelgenubi`;

/** Case-insensitive (ai.google.dev, of speech). */
export const VOICES: ReadonlySet<string> = new Set(NAMES.split(/\s/));
