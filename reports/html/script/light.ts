/**
 * An element with `data-lights` lights, within its `data-scope`, every element whose `data-key` is named there, on hover
 * and on keyboard focus; what has the focus stays lit while the pointer is on nothing that lights. A button with `data-sent` shows the statements of its scope as they were sent.
 */
export const LIGHT: string = `
var lit = [];
function lightsOff() {
  lit.forEach(function (element) { element.classList.remove('lit'); });
  lit = [];
}
function lights(target) {
  var source = (target.closest && target.closest('[data-lights]')) || document.activeElement.closest('[data-lights]');
  lightsOff();
  var scope = source && source.closest('[data-scope]');
  if (!scope) return;
  source.getAttribute('data-lights').split(' ').forEach(function (key) {
    scope.querySelectorAll('[data-key="' + key + '"]').forEach(function (element) {
      element.classList.add('lit');
      lit.push(element);
    });
  });
}
document.addEventListener('mouseover', function (event) { lights(event.target); });
document.addEventListener('focusin', function (event) { lights(event.target); });
document.addEventListener('focusout', lightsOff);
document.addEventListener('click', function (event) {
  var button = event.target.closest && event.target.closest('[data-sent]');
  if (!button) return;
  var on = button.closest('[data-scope]').classList.toggle('as-sent');
  button.setAttribute('aria-pressed', String(on));
});
`;
