/** The API's form of a label. */
export const LABEL = /^[A-Za-z0-9][\w./-]{0,63}=.{1,512}$/s;
