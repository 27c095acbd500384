type Primitive = string | number | boolean | null | undefined;
type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueAt<T, Key> = T extends unknown ? (Key extends keyof T ? T[Key] : never) : never;

/** The members of the accepted union that have the same `type` or `role` as the sent object. */
type Matching<Accepted, Sent> = Sent extends { type: infer Tag }
  ? WithTag<Accepted, 'type', Tag>
  : Sent extends { role: infer Tag }
    ? WithTag<Accepted, 'role', Tag>
    : Accepted;
type WithTag<Accepted, Key extends string, Tag> = Accepted extends { [K in Key]?: infer Known }
  ? Tag extends Known
    ? Accepted
    : never
  : never;

type TagOf<Sent> = Sent extends { type: infer T extends string } | { role: infer T extends string } ? `<${T}>` : '';
type IsOpen<T> = T extends unknown ? (string extends keyof T ? true : false) : never;
/** Counts down to limit the depth of recursive types. */
type Rest = [never, 0, 1, 2, 3, 4, 5, 6, 7, 8];

/** Paths of the fields and values in an SDK's request type that the input type of a check does not accept. */
export type RefusedFields<Sent, Accepted, Path extends string = '', Depth extends number = 9> = unknown extends
  | Sent
  | Accepted
  ? never
  : Depth extends 0
    ? never
    : RefusedIn<Sent, Accepted, Path, Depth>;

type RefusedIn<Sent, Accepted, Path extends string, Depth extends number> = Sent extends Primitive
  ? Sent extends Accepted | undefined
    ? never
    : `${Path} = ${Sent}`
  : Sent extends readonly (infer Item)[]
    ? RefusedFields<Item, Extract<Accepted, readonly unknown[]>[number], `${Path}[]`, Rest[Depth]>
    : string extends keyof Sent
      ? never
      : RefusedOf<Sent, Matching<Exclude<Extract<Accepted, object>, readonly unknown[]>, Sent>, Path, Depth>;

type RefusedOf<Sent, Accepted, Path extends string, Depth extends number> = [Accepted] extends [never]
  ? `${Path}${TagOf<Sent>}`
  : true extends IsOpen<Accepted>
    ? never
    : {
        [Key in keyof Sent & string]: Key extends KeyOf<Accepted>
          ? RefusedFields<Sent[Key], ValueAt<Accepted, Key>, `${Path}${TagOf<Sent>}.${Key}`, Rest[Depth]>
          : `${Path}${TagOf<Sent>}.${Key}`;
      }[keyof Sent & string];
