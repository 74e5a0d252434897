import { useEffect, useState } from 'preact/hooks';
import { useT } from '../../i18n/i18n.js';
import { oneLine } from '../../parts/plain.js';
import { type Cut, CutPane, type Settings } from './cut-pane.js';
import { Retrieval } from './retrieval.js';
import { SAMPLE } from './sample.js';
import { Similarity } from './similarity.js';

export type Given = { readonly text: string } | { readonly bytes: string; readonly name: string };

const FIRST: Settings = { strategy: 'hierarchical', max: 1200, min: 0, overlap: 0.15 };
const SECOND: Settings = { strategy: 'hierarchical', max: 400, min: 0, overlap: 0 };
const LARGEST = 3_000_000;

/** Try out on a text: how it is cut, what is near what, what a question finds. Nothing of it is kept. */
export function Playground() {
  const t = useT();
  const [text, setText] = useState(SAMPLE);
  const [file, setFile] = useState<{ bytes: string; name: string } | null>(null);
  const [first, setFirst] = useState(FIRST);
  const [second, setSecond] = useState(SECOND);
  const [compares, setCompares] = useState(false);
  const [cut, setCut] = useState<Cut | null>(null);
  const given = useLater<Given>(file ?? { text }, 150);
  const read = async (chosen: File | undefined): Promise<void> => {
    if (chosen === undefined || chosen.size > LARGEST) return;
    setFile({ bytes: await base64(chosen), name: chosen.name });
  };
  return (
    <div class="page playground">
      <h1>{t('play.title')}</h1>
      <p>{t('play.intro')}</p>
      <section
        class="given"
        aria-label={t('play.text')}
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          event.preventDefault();
          void read(event.dataTransfer?.files[0]);
        }}
      >
        <textarea
          aria-label={t('play.text')}
          value={file === null ? text : (cut?.text ?? '')}
          readOnly={file !== null}
          maxLength={1_000_000}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <p class="row-of">
          <label class="button">
            {t('play.file')}
            <input
              class="hidden"
              type="file"
              onChange={(event) => void read(event.currentTarget.files?.[0])}
            />
          </label>
          <button
            type="button"
            onClick={() => {
              setFile(null);
              setText(SAMPLE);
            }}
          >
            {t('play.sample')}
          </button>
          {file && cut && (
            <span class="hint">{t('play.file.read', { name: oneLine(file.name), format: cut.format })}</span>
          )}
          <label>
            <input
              type="checkbox"
              checked={compares}
              onChange={(event) => setCompares(event.currentTarget.checked)}
            />
            {t('play.compare')}
          </label>
        </p>
      </section>
      <div class={compares ? 'panes two' : 'panes'}>
        <CutPane name="A" given={given} settings={first} onSettings={setFirst} onCut={setCut} />
        {compares && <CutPane name="B" given={given} settings={second} onSettings={setSecond} />}
      </div>
      {/* What is typed is asked as it stands: the last cut may be of an older text. A file's text is known by its cut alone. */}
      <Retrieval text={file === null ? text : (cut?.text ?? '')} settings={first} />
      <Similarity cut={cut} />
    </div>
  );
}

/** The value as it was when it last stood still. */
export function useLater<T>(value: T, ms: number): T {
  const [later, setLater] = useState(value);
  const key = JSON.stringify(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [key, ms]);
  return later;
}

function base64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).replace(/^[^,]*,/, ''));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}
