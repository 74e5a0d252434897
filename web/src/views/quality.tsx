export function Quality() {
  return null;
}
