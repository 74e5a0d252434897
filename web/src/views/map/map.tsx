export function MapView() {
  return null;
}
