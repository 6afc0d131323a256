/**
 * Lights up the elements that `data-lights` names by their `data-key` within the same `data-scope`, on hover and on
 * keyboard focus. The focused element's parts stay lit while the pointer is on nothing that lights. A button with
 * `data-sent` shows the statements of its scope as they were sent.
 */
export const LIGHT: string = `
var lit = [];
function lightsOff() {
  lit.forEach(element => { element.classList.remove('lit'); });
  lit = [];
}
function lights(target) {
  var source = (target.closest && target.closest('[data-lights]')) || document.activeElement.closest('[data-lights]');
  lightsOff();
  var scope = source && source.closest('[data-scope]');
  if (!scope) return;
  source.getAttribute('data-lights').split(' ').forEach(key => {
    scope.querySelectorAll('[data-key="' + key + '"]').forEach(element => {
      element.classList.add('lit');
      lit.push(element);
    });
  });
}
document.addEventListener('mouseover', event => { lights(event.target); });
document.addEventListener('focusin', event => { lights(event.target); });
document.addEventListener('focusout', lightsOff);
document.addEventListener('click', event => {
  var button = event.target.closest && event.target.closest('[data-sent]');
  if (!button) return;
  var on = button.closest('[data-scope]').classList.toggle('as-sent');
  button.setAttribute('aria-pressed', String(on));
});
`;
