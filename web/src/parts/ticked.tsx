/** A sentence whose `commands` stand in backticks. */
export function Ticked({ text }: { readonly text: string }) {
  return <>{text.split('`').map((part, at) => (at % 2 === 1 ? <code key={`${at}`}>{part}</code> : part))}</>;
}
