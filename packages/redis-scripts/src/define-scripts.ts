/** The part of a Redis client that defines commands. */
interface ScriptClient {
  defineCommand(name: string, definition: { numberOfKeys: number; lua: string }): void;
}

/**
 * Defines Lua scripts as commands of a connection, with one key: the prefix of the deployment, from which a script
 * builds the names of its keys.
 * @param scripts the texts of the scripts, by the names of the commands
 */
export function defineScripts(redis: ScriptClient, scripts: Readonly<Record<string, string>>): void {
  for (const [name, lua] of Object.entries(scripts)) redis.defineCommand(name, { numberOfKeys: 1, lua });
}
