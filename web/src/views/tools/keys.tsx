import { useState } from 'preact/hooks';
import { asProblem, useAnswer } from '../../answer.js';
import { call, type Problem } from '../../api.js';
import { useT } from '../../i18n/i18n.js';
import { CopyButton } from '../../parts/copy-button.js';
import { oneLine } from '../../parts/plain.js';
import { ProblemBox } from '../../parts/problem-box.js';

interface Key {
  /** The public part, which names the key. */
  readonly prefix: string;
  readonly user: string;
  readonly label: string | null;
  readonly state: 'active' | 'expired' | 'revoked';
  readonly expires_at: string | null;
}

const ROLES = ['reader', 'editor', 'owner'] as const;

/** Keys by which others come in over HTTP: made for a user, shown once, revoked one by one. For the owner alone. */
export function Keys() {
  const t = useT();
  const { answer, problem, again } = useAnswer<{ keys: readonly Key[] }>('key-list', {}, { follows: true });
  const [user, setUser] = useState('');
  const [role, setRole] = useState<string>('reader');
  const [made, setMade] = useState<string | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const act = async (work: () => Promise<unknown>): Promise<void> => {
    setFailed(null);
    try {
      await work();
      again();
    } catch (error) {
      setFailed(asProblem(error));
    }
  };
  const create = (event: Event): void => {
    event.preventDefault();
    const name = user.trim();
    if (name === '') return;
    void act(async () => {
      const { users } = await call<{ users: readonly { name: string }[] }>('user-list');
      if (!users.some((one) => one.name === name)) await call('user-add', { name, role });
      setMade((await call<{ key: string }>('key-create', { user: name })).key);
    });
  };
  if (problem?.code === 'NOT_FOUND') return null;
  return (
    <section class="keys-of">
      <h2>{t('tools.keys')}</h2>
      {problem && <ProblemBox problem={problem} again={again} />}
      {failed && <ProblemBox problem={failed} />}
      {answer?.keys.length === 0 && <p class="hint">{t('tools.none')}</p>}
      {answer && answer.keys.length > 0 && (
        <table class="documents">
          <tbody>
            {answer.keys.map((key) => (
              <tr key={key.prefix}>
                <td>
                  <b>{oneLine(key.user)}</b> <code>{oneLine(key.prefix)}</code> {oneLine(key.label ?? '')}
                </td>
                <td>
                  <span class={key.state === 'active' ? 'badge' : 'badge failed'}>
                    {t(`tools.key.${key.state}`)}
                  </span>
                </td>
                <td>{key.expires_at?.slice(0, 10) ?? ''}</td>
                <td class="actions">
                  {key.state === 'active' && (
                    <button
                      type="button"
                      class="quiet"
                      onClick={() => void act(() => call('key-revoke', { key: key.prefix }))}
                    >
                      {t('tools.key.revoke')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <form class="row-of" onSubmit={create}>
        <input
          type="text"
          aria-label={t('tools.key.user')}
          placeholder={t('tools.key.user')}
          value={user}
          maxLength={64}
          onInput={(event) => setUser(event.currentTarget.value)}
        />
        <label>
          {t('tools.key.level')}
          <select value={role} onChange={(event) => setRole(event.currentTarget.value)}>
            {ROLES.map((one) => (
              <option key={one} value={one}>
                {t(`tools.role.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <button type="submit">{t('tools.create')}</button>
      </form>
      {made !== null && (
        <div class="secret" role="status">
          <p>{t('tools.key.made')}</p>
          <code>{made}</code> <CopyButton text={made} label={t('tools.config.copy')} />
        </div>
      )}
    </section>
  );
}
