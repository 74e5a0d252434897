import type {
  McpServer,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';

export interface SessionLimits {
  /** How many at once, how many of one caller, and how long one may be silent. */
  readonly maxSessions?: number;
  readonly maxSessionsEach?: number;
  readonly idleMs?: number;
  readonly now?: () => number;
  readonly onError: (error: Error) => void;
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly server: McpServer | Server;
  readonly owner: string;
}

const MINUTE = 60_000;

/** The sessions of older clients, in the order of their last use: the longest silent one is the first to go. */
export class Sessions {
  readonly #limits: Required<SessionLimits>;
  readonly #sessions = new Map<string, Session & { usedAt: number }>();

  constructor(limits: SessionLimits) {
    this.#limits = { maxSessions: 256, maxSessionsEach: 32, idleMs: 30 * MINUTE, now: Date.now, ...limits };
  }

  add(id: string, session: Session): void {
    this.#sessions.set(id, { ...session, usedAt: this.#limits.now() });
  }

  /** A session belongs to whoever opened it; to others it does not exist. */
  use(id: string, owner: string): Session | null {
    const session = this.#sessions.get(id);
    if (session === undefined || session.owner !== owner) return null;
    this.#sessions.delete(id);
    this.add(id, session);
    return session;
  }

  /** Before `opener` opens one more: what is silent ends, then the opener's oldest, then the oldest of whoever has most. */
  async makeRoom(opener: string): Promise<void> {
    const { idleMs, maxSessions, maxSessionsEach, now } = this.#limits;
    const silent = [...this.#sessions].filter(([, session]) => now() - session.usedAt > idleMs);
    await Promise.all(silent.map(([id]) => this.end(id)));
    const own = this.#of(opener);
    await Promise.all(own.slice(0, Math.max(0, own.length - maxSessionsEach + 1)).map((id) => this.end(id)));
    while (this.#sessions.size >= maxSessions) {
      const owners = new Set([...this.#sessions.values()].map(({ owner }) => owner));
      const [longest] = [...owners].map((owner) => this.#of(owner)).sort((a, b) => b.length - a.length);
      await this.end(longest![0]!);
    }
  }

  async end(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close().catch(this.#limits.onError);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#sessions.keys()].map((id) => this.end(id)));
  }

  resourcesChanged(): void {
    for (const { server } of this.#sessions.values())
      if ('sendResourceListChanged' in server && 'registerTool' in server) server.sendResourceListChanged();
  }

  toolsChanged(): void {
    for (const { server } of this.#sessions.values())
      void Promise.resolve(server.sendToolListChanged()).catch(this.#limits.onError);
  }

  #of(owner: string): string[] {
    return [...this.#sessions].filter(([, session]) => session.owner === owner).map(([id]) => id);
  }
}
